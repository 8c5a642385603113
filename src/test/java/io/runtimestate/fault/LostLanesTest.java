package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.runtimestate.support.SettleCheck;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Connections of a loaded backend that go away: some of them, all of them, again and again. */
class LostLanesTest extends RedisTest {
  private static final int LANES = 4;

  private final SettleCheck settle = new SettleCheck();
  private final List<Context> loops =
      IntStream.range(0, LANES)
          .mapToObj(i -> (Context) ((VertxInternal) vertx).createEventLoopContext())
          .toList();
  private RedisServer server;
  private FaultProxy proxy;
  private StateBackend backend;
  private StateBackend watched;
  private Whole whole;

  @BeforeEach
  void open() {
    server = RedisServer.start("appendonly yes", "appendfsync always");
    proxy = FaultProxy.start(vertx, server.port());
    RuntimeStateOptions options = options(proxy.uri()).setCommandTimeout(Duration.ofSeconds(10));
    options.getRedis().setFastLanes(LANES);
    backend = open(options);
    watched = settle.watch(backend);
    everywhere(1).forEach(Await::get);
    whole = Whole.of(backend, server, vertx);
    assertThat(backend.figures().get("lane.fast.connections")).isBetween(2L, (long) LANES);
  }

  @AfterEach
  void stop() {
    Await.get(backend.close());
    proxy.close();
    server.close();
  }

  /** So many writes on each loop; returns when all are made. */
  private List<Future<?>> everywhere(int each) {
    ConcurrentLinkedQueue<Future<?>> calls = new ConcurrentLinkedQueue<>();
    for (Context loop : loops) {
      loop.runOnContext(
          now -> {
            for (int i = 0; i < each; i++) {
              calls.add(watched.execute(increment("n")));
            }
          });
    }
    Await.until(() -> calls.size() == LANES * each, "all are made");
    return new ArrayList<>(calls);
  }

  /** How many were carried out; the others have failed as the connection's loss. */
  private static long carriedOut(List<Future<?>> calls) {
    calls.forEach(call -> Await.until(call::isComplete, "it ends"));
    calls.stream().filter(Future::failed).forEach(LostLanesTest::assertLost);
    return calls.stream().filter(Future::succeeded).count();
  }

  private static void assertLost(Future<?> call) {
    RuntimeStateException failure = failure(call);
    assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(failure.isRetryable()).isTrue();
    assertThat(failure.mayHaveBeenApplied()).isTrue();
  }

  private long counted() {
    return run(backend, get("n")).map(Long::parseLong).orElse(0L);
  }

  private void afterwards() {
    settle.verify();
    whole.awaitReturn();
  }

  @Test
  @DisplayName("A01 half the lanes cut: the other half answers everything")
  void halfOfThem() {
    int half = (int) (backend.figures().get("lane.fast.connections") / 2);
    for (int round = 0; round < 5; round++) {
      everywhere(1).forEach(Await::get);
      long before = counted();
      proxy.stall();
      List<Future<?>> calls = everywhere(50);
      proxy.cutNewest(half); // the fast lanes of other loops were connected last
      proxy.resume();
      long done = carriedOut(calls);
      assertThat(done).isBetween(1L, calls.size() - 1L);
      Await.until(this::works, "it works");
      assertThat(counted() - before).isBetween(done, (long) calls.size());
      whole.awaitReturn();
    }
    afterwards();
  }

  /** On lanes of every kind: a pause before connecting grows until a command succeeds. */
  private boolean works() {
    Future<?> all =
        Future.join(
            backend.execute(get("n")),
            backend.execute(new SystemOperation.Time()),
            backend.execute(new KeyOperation.Scan("*", Optional.empty(), 1)));
    Await.until(all::isComplete, "they end");
    return all.succeeded();
  }

  @Test
  @DisplayName("A05 all clients killed under load, again and again")
  void allKilled() {
    storm(
        10,
        () -> {
          try (RedisSide side = server.side()) {
            side.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
          }
        });
  }

  @Test
  @DisplayName("A05 a storm of resets")
  void allCut() {
    storm(10, proxy::cut);
  }

  @Test
  @DisplayName("A05 a storm of restarts")
  void restarted() {
    storm(
        5,
        () -> {
          server.kill();
          server.startAgain();
        });
  }

  @Test
  @DisplayName("A05 a storm of refused attempts")
  void refused() {
    storm(
        10,
        () -> {
          proxy.refuse();
          proxy.cut();
          Await.until(() -> proxy.refused() > 0, "an attempt is refused");
          proxy.accept();
        });
  }

  private void storm(int rounds, Runnable strike) {
    for (int round = 0; round < rounds; round++) {
      long before = counted();
      List<Future<?>> calls = everywhere(50);
      strike.run();
      calls.addAll(everywhere(50));
      long done = carriedOut(calls);
      Await.until(this::works, "it works");
      assertThat(counted() - before).isBetween(done, (long) calls.size());
      whole.awaitReturn();
    }
    afterwards();
  }

  @Test
  @DisplayName("A05 a killed control or admin lane disturbs no other")
  void otherKinds() {
    for (String kind : List.of("control", "admin")) {
      try (RedisSide side = server.side()) {
        String id = idOf(side, "runtime-state-" + kind);
        List<Future<?>> calls = everywhere(50);
        side.command("CLIENT", "KILL", "ID", id);
        calls.addAll(everywhere(50));
        assertThat(carriedOut(calls)).isEqualTo(calls.size());
      }
      Await.until(() -> whole.isConnected(kind), kind + " is back");
    }
    afterwards();
  }

  private static String idOf(RedisSide side, String name) {
    return side.clientList().stream()
        .filter(client -> client.get("name").equals(name))
        .map((Map<String, String> client) -> client.get("id"))
        .findFirst()
        .orElseThrow();
  }
}
