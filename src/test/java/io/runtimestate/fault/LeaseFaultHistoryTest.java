package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories of three runtimes whose connections are cut, stalled and muted one by one and
 * whose server is killed and started again, judged by what the locks and permits protect.
 */
class LeaseFaultHistoryTest {
  private static final int RUNTIMES = 3;
  private static final int CALLERS = 9;
  private static final int LIMIT = 3;
  private static final Duration LEASE = Duration.ofMillis(400);
  private static final Duration SLACK = Duration.ofSeconds(10);

  private final Vertx vertx = Vertx.vertx();
  private final SplittableRandom random = new SplittableRandom(11);
  private final List<FaultProxy> proxies = new ArrayList<>();
  private final List<RuntimeState> states = new ArrayList<>();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private final Queue<String> breaches = new ConcurrentLinkedQueue<>();
  private final AtomicInteger grants = new AtomicInteger();
  private RedisServer server;
  private volatile boolean over;

  @BeforeEach
  void open() {
    vertx.exceptionHandler(uncaught::add);
    server = RedisServer.start();
    for (int i = 0; i < RUNTIMES; i++) {
      proxies.add(FaultProxy.start(vertx, server.port()));
      RuntimeStateOptions options =
          new RuntimeStateOptions()
              .setBackend(BackendMode.REDIS)
              .setCommandTimeout(Duration.ofMillis(200));
      options.getRedis().setUrl(proxies.get(i).uri()).setOpenTimeout(SLACK);
      states.add(get(RuntimeState.open(vertx, options)));
    }
  }

  @AfterEach
  void close() {
    proxies.forEach(LeaseFaultHistoryTest::heal);
    states.forEach(state -> Await.within(SLACK, state.close()));
    proxies.forEach(FaultProxy::close);
    server.close();
    get(vertx.close());
    assertThat(uncaught).isEmpty();
  }

  private static void heal(FaultProxy proxy) {
    proxy.resume();
    proxy.unmute();
    proxy.accept();
    proxy.cut(); // what was held back is not let through late
  }

  private static void pass(long millis) {
    LockSupport.parkNanos(millis * 1_000_000);
  }

  // ---- faults ----

  private void injectFaults(int rounds) {
    for (int i = 0; i < rounds; i++) {
      FaultProxy proxy = proxies.get(random.nextInt(RUNTIMES));
      switch (random.nextInt(5)) {
        case 0 -> proxy.cut();
        case 1 -> proxy.stall();
        case 2 -> proxy.mute();
        case 3 -> {
          proxy.refuse();
          proxy.cut();
        }
        default -> restart();
      }
      pass(random.nextInt(600));
      heal(proxy);
      pass(random.nextInt(400));
    }
    over = true;
  }

  /** What had been written is there again. */
  private void restart() {
    try (RedisSide side = server.side()) {
      side.command("CLIENT", "PAUSE", "10000", "WRITE"); // nothing is granted and then forgotten
    }
    server.save();
    server.kill();
    server.startAgain();
  }

  /** Turn after turn, each begun by a timer, until the faults are over. */
  private Future<Void> turns(Turn turn) {
    return turn.play()
        .transform(played -> vertx.timer(5))
        .compose(waited -> over ? Future.succeededFuture() : turns(turn));
  }

  private interface Turn {
    Future<?> play();
  }

  // ---- locks ----

  @Test
  @DisplayName("10.2 C466 under faults a fenced resource sees one holder at a time")
  void locks() {
    lockHistory(8);
  }

  @Test
  @Tag("soak")
  @DisplayName("10.2 C466 the same for a hundred faults")
  void locks_long() {
    lockHistory(100);
  }

  private void lockHistory(int faults) {
    FencedResource resource = new FencedResource();
    List<Future<Void>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      RuntimeState state = states.get(i % RUNTIMES);
      callers.add(turns(() -> workLocked(state, resource)));
    }
    injectFaults(faults);
    callers.forEach(caller -> Await.within(SLACK.multipliedBy(2), caller));
    assertThat(resource.breaches()).isEmpty();
    assertThat(resource.writes()).isGreaterThan(10 * faults);
    for (RuntimeState state : states) { // no holder stays behind
      assertThat(get(get(state.locks().hold("l", "end", LEASE, SLACK)).orElseThrow().release()))
          .isTrue();
    }
  }

  private Future<?> workLocked(RuntimeState state, FencedResource resource) {
    long before = resource.newest();
    return state
        .locks()
        .hold("l", "o", LEASE, Duration.ofSeconds(2))
        .compose(
            held ->
                held.isEmpty()
                    ? Future.succeededFuture()
                    : workLocked(held.get(), resource, before));
  }

  private Future<?> workLocked(AutoRenewedLease lease, FencedResource resource, long before) {
    resource.granted(lease, lease.fencingToken(), before);
    return write(lease, resource, 10);
  }

  private Future<?> write(AutoRenewedLease lease, FencedResource resource, int writes) {
    if (!lease.isHeld() || writes == 0) {
      return lease.release();
    }
    resource.write(lease, lease.fencingToken());
    return vertx.timer(5).compose(waited -> write(lease, resource, writes - 1));
  }

  // ---- semaphores ----

  @Test
  @DisplayName("11.1 C467 under faults never more permits than the limit are healthy at a time")
  void permits() {
    permitHistory(8);
  }

  @Test
  @Tag("soak")
  @DisplayName("11.1 C467 the same for a hundred faults")
  void permits_long() {
    permitHistory(100);
  }

  private void permitHistory(int faults) {
    Set<Permit> held = ConcurrentHashMap.newKeySet();
    List<Future<Void>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Semaphore semaphore = semaphore(states.get(i % RUNTIMES));
      callers.add(turns(() -> workPermitted(semaphore, held)));
    }
    injectFaults(faults);
    callers.forEach(caller -> Await.within(SLACK.multipliedBy(2), caller));
    assertThat(breaches).isEmpty();
    assertThat(grants).hasValueGreaterThan(2 * faults);
    assertAllPermitsReturn();
  }

  private static Semaphore semaphore(RuntimeState state) {
    return state
        .semaphores()
        .semaphore(
            new SemaphoreOptions("g", LIMIT)
                .setLeaseTtl(LEASE)
                .setRenewInterval(LEASE.dividedBy(4)));
  }

  private Future<?> workPermitted(Semaphore semaphore, Set<Permit> held) {
    return semaphore
        .acquire(Duration.ofSeconds(2))
        .compose(
            permit ->
                permit.isEmpty()
                    ? Future.succeededFuture()
                    : workPermitted(permit.get(), held, 10));
  }

  private Future<?> workPermitted(Permit permit, Set<Permit> held, int looks) {
    held.add(permit);
    long healthy = held.stream().filter(Permit::isHealthy).count();
    if (healthy > LIMIT) {
      breaches.add(healthy + " permits are healthy");
    }
    if (permit.isHealthy() && looks > 0) {
      return vertx.timer(5).compose(waited -> workPermitted(permit, held, looks - 1));
    }
    grants.incrementAndGet();
    held.remove(permit);
    return permit.release();
  }

  /** None is lost for longer than its lease. */
  private void assertAllPermitsReturn() {
    List<Permit> all = new ArrayList<>();
    Semaphore semaphore = semaphore(states.get(0));
    Await.until(
        () -> {
          Await.within(SLACK, semaphore.acquire(LEASE)).ifPresent(all::add);
          return all.size() == LIMIT;
        },
        SLACK,
        "all permits can be had again");
    assertThat(all).allMatch(Permit::isHealthy);
  }
}
