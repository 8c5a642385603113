package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.Footprint;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The end of a verticle whose runtime is in the middle of everything. */
class UndeployFaultTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private RedisServer server;
  private FaultProxy proxy;

  @BeforeEach
  void start() {
    vertx.exceptionHandler(uncaught::add);
    server = RedisServer.start();
    proxy = FaultProxy.start(vertx, server.port());
  }

  @AfterEach
  void stop() {
    proxy.close();
    server.close();
    get(vertx.close());
    assertThat(uncaught).isEmpty();
  }

  private RuntimeStateOptions options() {
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setBackend(BackendMode.REDIS)
            .setCloseTimeout(Duration.ofMillis(500));
    options.getRedis().setUrl(proxy.uri()).setOpenTimeout(Duration.ofSeconds(10));
    return options;
  }

  /** Opens a runtime on its own context. */
  private static final class Opener extends VerticleBase {
    private final RuntimeStateOptions options;
    private final AtomicReference<RuntimeState> state = new AtomicReference<>();

    Opener(RuntimeStateOptions options) {
      this.options = options;
    }

    @Override
    public Future<?> start() {
      return RuntimeState.open(vertx, options).onSuccess(state::set);
    }
  }

  @Test
  @DisplayName("P01 leases, workers and calls of an undeployed verticle leave nothing that goes on")
  void everythingRuns() {
    Footprint before = Footprint.of(vertx, server);
    Opener opener = new Opener(options());
    String deployment = get(vertx.deployVerticle(opener));
    RuntimeState state = opener.state.get();
    List<Object> held = new ArrayList<>(); // a permit that nobody can reach is given back anyway
    for (int i = 0; i < 50; i++) {
      held.add(get(state.locks().hold("l" + i, "o", Duration.ofSeconds(30), LONG)).orElseThrow());
      SemaphoreOptions gate = new SemaphoreOptions("g" + i, 1);
      held.add(get(state.semaphores().semaphore(gate).tryAcquire()).orElseThrow());
    }
    for (int i = 0; i < 20; i++) {
      startWorker(state, i);
    }
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      calls.add(state.kv().set("k", "v"));
    }
    Await.within(Duration.ofSeconds(6), vertx.undeploy(deployment));
    assertThat(calls).allSatisfy(call -> Await.until(call::isComplete, "it ends"));
    before.awaitReturn(vertx, server);
    long sent = proxy.bytesToServer();
    LockSupport.parkNanos(Duration.ofSeconds(2).toNanos()); // that nothing happens takes time
    assertThat(proxy.bytesToServer()).isEqualTo(sent);
    assertThat(proxy.open()).isZero();
    assertThat(held).hasSize(100);
    try (RedisSide side = server.side()) {
      assertThat((List<?>) side.command("KEYS", "rs:lk:*")).as("locks are released").isEmpty();
      assertThat((List<?>) side.command("KEYS", "rs:sm:*")).as("permits are released").isEmpty();
    }
  }

  private static void startWorker(RuntimeState state, int number) {
    get(
        state
            .queues()
            .worker(
                new QueueWorkerOptions("q" + number, "g", "w"), message -> Future.succeededFuture())
            .start());
  }

  @Test
  @DisplayName("P05 threads that wait for a lock, a permit or an entry hear of the close")
  void waitersHearOfIt() {
    RuntimeState state = get(RuntimeState.open(vertx, options()));
    get(state.locks().tryAcquire("l", "other", LONG));
    SemaphoreOptions gate = new SemaphoreOptions("g", 1);
    get(state.semaphores().semaphore(gate).tryAcquire());
    get(state.queues().ensureGroup("q", "g"));
    Queue<FailureCode> ends = new ConcurrentLinkedQueue<>();
    List<Supplier<Future<?>>> waits =
        List.of(
            () -> state.locks().acquire("l", "o", LONG, LONG),
            () -> state.semaphores().semaphore(gate).acquire(LONG),
            () -> state.queues().read("q", "g", "c", 1, LONG));
    List<Thread> threads =
        waits.stream()
            .map(wait -> new Thread(() -> ends.add(codeOf(Await.failure(LONG, wait.get())))))
            .toList();
    threads.forEach(Thread::start);
    Await.until(
        () -> threads.stream().allMatch(thread -> thread.getState() != Thread.State.RUNNABLE),
        "all wait");
    Await.until(() -> get(state.statistics()).blockedReads() == 1, "the read waits");
    get(state.close());
    Await.until(() -> ends.size() == 3, "all hear of it");
    assertThat(ends).containsOnly(FailureCode.CLOSED);
  }

  private static FailureCode codeOf(Throwable failure) {
    return ((RuntimeStateException) failure).code();
  }
}
