package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that stop answering, and callers that do not wait longer than they said. */
class DeadlineTest extends RedisTest {
  private static final int SLACK = 40;
  private static RedisServer server;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private RuntimeStateOptions options(int timeoutMillis) {
    return options(server.uri()).setCommandTimeout(Duration.ofMillis(timeoutMillis));
  }

  /** When each call ended, in milliseconds after it was made. */
  private static final class Ends {
    private final Map<String, Long> millis = new ConcurrentHashMap<>();
    private final Map<String, Future<?>> futures = new ConcurrentHashMap<>();

    void watch(String name, Supplier<Future<?>> call) {
      long startedAt = System.nanoTime();
      Future<?> future = call.get();
      futures.put(name, future);
      future.onComplete(done -> millis.put(name, (System.nanoTime() - startedAt) / 1_000_000));
    }

    void await() {
      futures.forEach((name, future) -> Await.until(() -> millis.containsKey(name), name));
    }
  }

  @Test
  @DisplayName("C431: late replies are dropped and later calls get their own")
  void lateReplies() {
    StateBackend backend = open(options(200));
    run(backend, set("late", "late"));
    run(backend, set("own", "own"));
    Ends ends = new Ends();
    server.pause();
    try {
      ends.watch("late", () -> backend.execute(get("late")));
      ends.await();
    } finally {
      server.resume();
    }
    assertThat(failure(ends.futures.get("late")).code()).isEqualTo(FailureCode.TIMED_OUT);
    assertThat(ends.millis.get("late")).isBetween(200L, 500L);
    assertThat(run(backend, get("own"))).contains("own");
    Await.until(() -> backend.figures().get("lane.fast.pending") == 0, "nothing is owed");
  }

  @Test
  @DisplayName("C476: a deadline of the call's own covers chunks and connecting")
  void deadlineOfTheCall() {
    StateBackend backend = open(options(2_000));
    List<String> keys = IntStream.range(0, 2_500).mapToObj(i -> "k" + i).toList();
    run(backend, get("warm"));
    Ends ends = new Ends();
    server.pause();
    try {
      ends.watch("one", () -> backend.execute(get("k"), 300));
      ends.watch("chunks", () -> backend.execute(new KvOperation.GetMany(keys), 300));
      // Another loop has no lane yet: it has to connect.
      vertx
          .deployVerticle(
              () ->
                  new VerticleBase() {
                    @Override
                    public Future<?> start() throws Exception {
                      ends.watch("connect", () -> backend.execute(get("k"), 300));
                      return super.start();
                    }
                  },
              new DeploymentOptions())
          .onComplete(deployed -> {});
      Await.until(() -> ends.millis.size() == 3, "all end");
    } finally {
      server.resume();
    }
    assertThat(ends.millis.values()).allSatisfy(m -> assertThat(m).isBetween(300L, 320L + SLACK));
    assertThat(ends.futures.values())
        .allSatisfy(f -> assertThat(failure(f).code()).isEqualTo(FailureCode.TIMED_OUT));
  }

  @Test
  @DisplayName("C443, C01: a full lane refuses at once and throws nothing")
  void fullLane() {
    RuntimeStateOptions options = options(2_000);
    options.getRedis().setMaxPendingCommands(10).setFastLanes(1);
    StateBackend backend = open(options);
    List<Throwable> uncaught = new ArrayList<>();
    vertx.exceptionHandler(uncaught::add);
    run(backend, get("warm"));
    List<Future<?>> calls = new ArrayList<>();
    server.pause();
    try {
      onLoop(
          () -> {
            for (int i = 0; i < 1_000; i++) {
              calls.add(backend.execute(get("k")));
            }
            return null;
          });
      Await.until(() -> calls.stream().filter(Future::isComplete).count() == 990, "990 refused");
      assertThat(backend.figures()).containsEntry("lane.fast.pending", 10L);
    } finally {
      server.resume();
    }
    calls.stream()
        .filter(Future::isComplete)
        .filter(Future::failed)
        .forEach(
            call ->
                assertThat(failure(call))
                    .hasMessageContaining("redis.maxPendingCommands is 10, in use 10")
                    .extracting(RuntimeStateException::code)
                    .isEqualTo(FailureCode.OVERLOADED));
    Await.until(() -> calls.stream().allMatch(Future::isComplete), "the 10 are answered");
    assertThat(calls.stream().filter(Future::succeeded)).hasSize(10);
    assertThat(uncaught).isEmpty();
  }

  @Test
  @DisplayName("C491: a connection that owes an answer for 2 s is given up")
  void silentConnection() {
    try (FaultProxy proxy = FaultProxy.start(vertx, server.port())) {
      RuntimeStateOptions options = options(proxy.uri()).setCommandTimeout(Duration.ofMillis(200));
      options.getRedis().setFastLanes(1);
      StateBackend backend = open(options);
      run(backend, get("warm"));
      proxy.mute();
      Ends ends = new Ends();
      ends.watch("get", () -> backend.execute(get("k")));
      ends.watch("set", () -> backend.execute(set("k", "v"), 10_000));
      Await.until(() -> ends.millis.containsKey("get"), "the get ends");
      assertThat(failure(ends.futures.get("get")).code()).isEqualTo(FailureCode.TIMED_OUT);
      assertThat(backend.figures()).containsEntry("lane.fast.pending", 2L);
      proxy.unmute(); // of new connections: what was dropped is gone
      ends.await();
      RuntimeStateException lost = failure(ends.futures.get("set"));
      assertThat(lost.code()).isEqualTo(FailureCode.UNAVAILABLE);
      assertThat(lost.mayHaveBeenApplied()).isTrue();
      assertThat(ends.millis.get("set")).isBetween(2_150L, 2_700L); // the get was sent first;
      Await.until(() -> backend.figures().get("lane.fast.connections") == 1, "it is back");
      assertThat(run(backend, get("warm"))).isEmpty();
      assertThat(backend.figures()).containsEntry("lane.fast.pending", 0L);
      Await.get(backend.close());
    }
  }

  @Test
  @DisplayName("B07: connecting counts toward the deadline")
  void connectingCounts() {
    try (FaultProxy proxy = FaultProxy.start(vertx, server.port())) {
      StateBackend backend = open(options(proxy.uri()).setCommandTimeout(Duration.ofMillis(200)));
      proxy.stall();
      proxy.cut();
      Await.until(() -> backend.figures().get("lane.fast.connections") == 0, "it is down");
      Ends ends = new Ends();
      for (int i = 0; i < 100; i++) {
        ends.watch("get" + i, () -> backend.execute(get("k")));
      }
      ends.await();
      assertThat(ends.millis.values())
          .allSatisfy(m -> assertThat(m).isLessThanOrEqualTo(220L + SLACK));
      proxy.resume();
      Await.get(backend.close());
    }
  }
}
