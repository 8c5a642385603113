package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.LossReason;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.lease.AutoRenewedLease;
import io.runtimestate.lease.Permit;
import io.runtimestate.lease.Semaphore;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Locks and permits when the server or the way to it fails. */
class LeaseFaultTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private final Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
  private RedisServer server;
  private FaultProxy proxy;
  private RuntimeState state;

  @BeforeEach
  void open() {
    vertx.exceptionHandler(uncaught::add);
    server = RedisServer.start();
    proxy = FaultProxy.start(vertx, server.port());
    state = open(proxy.uri(), ms(500));
  }

  @AfterEach
  void close() {
    proxy.resume();
    Await.within(Duration.ofSeconds(10), state.close());
    proxy.close();
    server.close();
    get(vertx.close());
    assertThat(uncaught).isEmpty();
  }

  private RuntimeState open(String uri, Duration timeout) {
    RuntimeStateOptions options =
        new RuntimeStateOptions().setBackend(BackendMode.REDIS).setCommandTimeout(timeout);
    options.getRedis().setUrl(uri).setOpenTimeout(Duration.ofSeconds(10));
    return get(RuntimeState.open(vertx, options));
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private AutoRenewedLease hold(String key, long ttlMillis) {
    return get(state.locks().hold(key, "o", ms(ttlMillis), Duration.ofSeconds(5)))
        .orElseThrow()
        .onLost(losses::add);
  }

  private Semaphore semaphore(long ttlMillis, long intervalMillis) {
    return state
        .semaphores()
        .semaphore(
            new SemaphoreOptions("g", 1)
                .setLeaseTtl(ms(ttlMillis))
                .setRenewInterval(ms(intervalMillis)));
  }

  private Permit permit(Semaphore semaphore) {
    return get(semaphore.tryAcquire()).orElseThrow().onLost(losses::add);
  }

  private void assertLost(LossReason reason, long withinMillis) {
    Await.until(() -> !losses.isEmpty(), ms(withinMillis), "the loss is told");
    pass(ms(100));
    assertThat(losses).containsExactly(reason);
  }

  @Test
  @DisplayName("C378 fencing tokens grow although the store was flushed")
  void flushed() {
    LockLease before = get(state.locks().tryAcquire("l", "o", LONG)).orElseThrow();
    try (RedisSide side = server.side()) {
      side.command("FLUSHALL");
    }
    LockLease after = get(state.locks().tryAcquire("l", "o", LONG)).orElseThrow();
    assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
  }

  @Test
  @DisplayName("C390 0.8.3 what a lost answer may have granted is released in the background")
  void lostAnswer() {
    get(state.locks().holder("l"));
    proxy.cutAfterNextRequest();
    Throwable failure = Await.failure(state.locks().tryAcquire("l", "o", LONG));
    assertThat(((RuntimeStateException) failure).mayHaveBeenApplied()).isTrue();
    assertThat(get(state.locks().acquire("l", "other", LONG, Duration.ofSeconds(10)))).isPresent();
    get(semaphore(30_000, 10_000).snapshot());
    proxy.cutAfterNextRequest();
    failure = Await.failure(state.semaphores().tryAcquire("g", null, 1, LONG));
    assertThat(((RuntimeStateException) failure).mayHaveBeenApplied()).isTrue();
    assertThat(get(semaphore(30_000, 10_000).acquire(Duration.ofSeconds(10)))).isPresent();
  }

  @Test
  @DisplayName("B05 an acquisition whose answer is lost finds its own lease at the next try")
  void lostAnswerWhileWaiting() {
    get(state.locks().holder("l"));
    proxy.cutAfterNextRequest();
    LockLease lease =
        get(state.locks().acquire("l", "o", LONG, Duration.ofSeconds(10))).orElseThrow();
    assertThat(get(state.locks().renew(lease, LONG))).isTrue();
    get(semaphore(30_000, 10_000).snapshot());
    proxy.cutAfterNextRequest();
    Optional<Permit> permit = get(semaphore(30_000, 10_000).acquire(Duration.ofSeconds(10)));
    assertThat(permit.orElseThrow().isHealthy()).isTrue();
    assertThat(get(semaphore(30_000, 10_000).snapshot()).inFlight()).isEqualTo(1);
  }

  @Test
  @DisplayName("C392 C393 M03 M13 a lock deleted on the server is lost, once; renewals stop")
  void deleted() {
    AutoRenewedLease lease = hold("l", 600);
    try (RedisSide side = server.side()) {
      side.command("DEL", "rs:lk:{l}");
      assertLost(LossReason.OWNERSHIP_LOST, 400);
      long sent = side.commandStat("evalsha");
      pass(ms(800));
      assertThat(side.commandStat("evalsha")).isEqualTo(sent);
      assertThat(side.command("EXISTS", "rs:lk:{l}")).isEqualTo(0L);
    }
    assertThat(lease.isHeld()).isFalse();
    assertThat(losses).hasSize(1);
  }

  @Test
  @DisplayName("C392 a lock that another owner took over is lost; the other is left alone")
  void takenOver() {
    AutoRenewedLease lease = hold("l", 600);
    try (RedisSide side = server.side()) {
      side.command("SET", "rs:lk:{l}", "77:1:x:token", "PX", "30000");
      assertLost(LossReason.OWNERSHIP_LOST, 400);
      assertThat(lease.isHeld()).isFalse();
      assertThat(get(lease.release())).isFalse();
      assertThat((Long) side.command("PTTL", "rs:lk:{l}")).isBetween(20_000L, 30_000L);
      assertThat(get(state.locks().holder("l")).orElseThrow().owner()).isEqualTo("x");
    }
  }

  @Test
  @DisplayName("C393 C423 M17 a stall beyond the lease loses lock and permit; they stay lost")
  void stalled() {
    AutoRenewedLease lease = hold("l", 600);
    Permit permit = get(semaphore(600, 100).tryAcquire()).orElseThrow().onLost(losses::add);
    proxy.stall();
    Await.until(() -> losses.size() == 2, Duration.ofSeconds(2), "both are lost");
    assertThat(lease.isHeld()).isFalse();
    assertThat(permit.isHealthy()).isFalse();
    proxy.resume();
    Await.until(() -> works(), Duration.ofSeconds(10), "traffic flows");
    pass(ms(1_200)); // what was sent and forgotten arrives
    assertThat(losses).containsOnly(LossReason.EXPIRED).hasSize(2);
    assertThat(lease.isHeld()).isFalse();
    assertThat(permit.isHealthy()).isFalse();
    assertThat(get(lease.release())).isFalse();
    get(permit.release());
    assertThat(get(state.locks().tryAcquire("l", "next", LONG))).isPresent();
    assertThat(get(state.statistics()).heldLeases()).isZero();
    assertThat(get(state.statistics()).heldPermits()).isZero();
  }

  private boolean works() {
    Future<?> both = Future.all(state.ping(), state.kv().get("k")); // two lanes
    Await.until(both::isComplete, "it completes");
    return both.succeeded();
  }

  @Test
  @DisplayName("C393 C427 B03 a server that stops loses the lock and refuses, in time")
  void stopped() {
    AutoRenewedLease lease = hold("l", 600);
    Semaphore slow = semaphore(30_000, 10_000);
    Permit permit = get(slow.tryAcquire()).orElseThrow();
    server.save();
    server.kill();
    assertLost(LossReason.EXPIRED, 2_000);
    assertThat(lease.isHeld()).isFalse();
    assertThat(codeOf(slow.snapshot())).isIn(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT);
    Throwable refused = Await.failure(slow.tryAcquire());
    assertThat(refused).hasMessageContaining("gate g").hasMessageContaining("limit 1");
    long before = System.nanoTime();
    Future<?> waiting = state.locks().acquire("m", "o", LONG, Duration.ofSeconds(1));
    Await.until(waiting::isComplete, "it ends");
    assertThat((System.nanoTime() - before) / 1_000_000).isBetween(400L, 1_900L);
    assertThat(codeOf(permit.release())).isIn(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT);
    server.startAgain();
    Await.until(() -> works(), Duration.ofSeconds(10), "it works again");
    get(permit.release());
    assertThat(get(slow.snapshot()).inFlight()).isZero();
    assertThat(get(state.locks().acquire("m", "o", LONG, Duration.ofSeconds(5)))).isPresent();
  }

  private static FailureCode codeOf(Future<?> call) {
    return ((RuntimeStateException) Await.failure(call)).code();
  }

  @Test
  @DisplayName("C394 C422 a connection that is cut for a while costs neither lock nor permit")
  void cutForAWhile() {
    AutoRenewedLease lease = hold("l", 900);
    Permit permit = permit(semaphore(900, 100));
    proxy.refuse();
    proxy.cut();
    pass(ms(250));
    proxy.accept();
    pass(ms(1_500));
    assertThat(lease.isHeld()).isTrue();
    assertThat(permit.isHealthy()).isTrue();
    assertThat(losses).isEmpty();
    assertThat(get(state.locks().holder("l"))).isPresent();
    assertThat(get(semaphore(900, 100).snapshot()).inFlight()).isEqualTo(1);
    assertThat(get(lease.release())).isTrue();
    get(permit.release());
  }

  @Test
  @DisplayName("C411 a semaphore deleted on the server loses its permits, once")
  void semaphoreDeleted() {
    Permit permit = permit(semaphore(5_000, 100));
    try (RedisSide side = server.side()) {
      side.command("DEL", "rs:sm:{g}");
    }
    assertLost(LossReason.OWNERSHIP_LOST, 1_000);
    assertThat(permit.isHealthy()).isFalse();
    get(permit.release());
  }

  @Test
  @DisplayName("C428 a grant over 20 000 expired permits is no step above 50 ms")
  void expiredPermits() {
    try (RedisSide side = server.side()) {
      side.command("CONFIG", "SET", "slowlog-log-slower-than", "50000");
      for (int i = 0; i < 20_000; i += 1_000) {
        String[] add = new String[2_002];
        add[0] = "ZADD";
        add[1] = "rs:sm:{g}";
        for (int m = 0; m < 1_000; m++) {
          add[2 + 2 * m] = "1000";
          add[3 + 2 * m] = "g:" + (i + m);
        }
        side.command(add);
      }
      side.command("SLOWLOG", "RESET"); // what filled the semaphore does not count
      assertThat(get(semaphore(30_000, 10_000).tryAcquire())).isPresent();
      assertThat(side.command("SLOWLOG", "LEN")).isEqualTo(0L);
    }
  }

  @Test
  @DisplayName("0.9.9 on a full server grants are refused, renewals and releases are not")
  void fullServer() {
    AutoRenewedLease lease = hold("l", 1_200);
    Permit permit = permit(semaphore(1_200, 100));
    try (RedisSide side = server.side()) {
      side.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
      side.command("CONFIG", "SET", "maxmemory", "1");
      assertThat(codeOf(state.locks().tryAcquire("m", "o", LONG)))
          .isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
      assertThat(codeOf(state.semaphores().tryAcquire("h", null, 1, LONG)))
          .isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
      assertThat(side.command("EXISTS", "rs:lk:{m}", "rs:fn:{m}", "rs:sm:{h}")).isEqualTo(0L);
      pass(ms(2_000));
      assertThat(lease.isHeld()).isTrue();
      assertThat(permit.isHealthy()).isTrue();
      assertThat(losses).isEmpty();
      assertThat(get(lease.release())).isTrue();
      get(permit.release());
      assertThat(side.command("EXISTS", "rs:lk:{l}", "rs:sm:{g}")).isEqualTo(0L);
      side.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  @Test
  @DisplayName("N09 a place that becomes free unnoticed is found all the same")
  void freedUnnoticed() {
    get(state.locks().tryAcquire("l", "o", LONG));
    permit(semaphore(30_000, 10_000));
    Future<?> lock = state.locks().acquire("l", "w", LONG, LONG);
    Future<?> permit = semaphore(30_000, 10_000).acquire(LONG);
    pass(ms(1_500)); // until the pauses are at their longest
    try (RedisSide side = server.side()) {
      side.command("DEL", "rs:lk:{l}", "rs:sm:{g}");
    }
    Await.within(Duration.ofSeconds(1), Future.all(lock, permit));
  }

  @Test
  @DisplayName("0.9.2 scripts that the server forgot are loaded again")
  void scriptsFlushed() {
    LockLease lease = get(state.locks().tryAcquire("l", "o", LONG)).orElseThrow();
    try (RedisSide side = server.side()) {
      side.command("SCRIPT", "FLUSH");
    }
    assertThat(get(state.locks().holder("l"))).isPresent();
    assertThat(get(state.locks().renew(lease, LONG))).isTrue();
    assertThat(get(state.locks().release(lease))).isTrue();
    get(permit(semaphore(30_000, 10_000)).release());
    assertThat(get(state.semaphores().holders("g", null))).isEmpty();
  }

  @Test
  @DisplayName("C452 a runtime with leases closes in time although the server is silent")
  void closeStalled() {
    for (int i = 0; i < 10; i++) {
      hold("l" + i, 30_000);
    }
    proxy.stall();
    long before = System.nanoTime();
    Await.within(Duration.ofSeconds(10), state.close());
    assertThat((System.nanoTime() - before) / 1_000_000).isLessThan(6_000);
    Await.until(() -> losses.size() == 10, "all hear it");
    assertThat(losses).containsOnly(LossReason.RUNTIME_CLOSED);
  }
}
