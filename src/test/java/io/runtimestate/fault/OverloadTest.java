package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Future;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * More than is allowed to be under way. Each bound refuses at once, names the option that would
 * help, has a figure, and that option does help.
 */
class OverloadTest extends RedisTest {
  private static final int CALLS = 1_000;
  private static final long MEBI = 1L << 20;

  private RedisServer server;

  @BeforeEach
  void start() {
    server = RedisServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private StateBackend open(Consumer<RuntimeStateOptions> change) {
    RuntimeStateOptions options = options(server.uri()).setCommandTimeout(Duration.ofSeconds(10));
    options.getRedis().setFastLanes(1);
    change.accept(options);
    return open(options);
  }

  private List<Future<?>> flood(StateBackend backend, Supplier<Operation<?>> operation) {
    List<Future<?>> calls = new ArrayList<>();
    onLoop(
        () -> {
          for (int i = 0; i < CALLS; i++) {
            calls.add(backend.execute(operation.get()));
          }
          return null;
        });
    return calls;
  }

  /** Waits until all but so many are refused; what it says the reason is. */
  private static String reason(List<Future<?>> calls, int taken) {
    Await.until(() -> ended(calls).count() == calls.size() - taken, "the others are refused");
    List<RuntimeStateException> refusals = ended(calls).map(RedisTest::failure).toList();
    assertThat(refusals)
        .allSatisfy(
            refusal -> {
              assertThat(refusal.code()).isEqualTo(FailureCode.OVERLOADED);
              assertThat(refusal.isRetryable()).isTrue();
              assertThat(refusal.mayHaveBeenApplied()).isFalse();
            });
    return refusals.get(0).getMessage();
  }

  private static Stream<Future<?>> ended(List<Future<?>> calls) {
    return calls.stream().filter(Future::isComplete);
  }

  private static void assertAllSucceed(List<Future<?>> calls) {
    calls.forEach(Await::get);
  }

  @Test
  @DisplayName("S05 C443 commands on a silent server are bounded; redis.maxPendingCommands helps")
  void commands() {
    StateBackend small = open(options -> options.getRedis().setMaxPendingCommands(10));
    StateBackend large = open(options -> options.getRedis().setMaxPendingCommands(CALLS));
    run(small, get("warm"));
    run(large, get("warm"));
    server.pause();
    List<Future<?>> calls;
    List<Future<?>> others;
    try {
      calls = flood(small, () -> set("k", "v"));
      assertThat(reason(calls, 10)).endsWith("redis.maxPendingCommands is 10, in use 10");
      assertThat(small.figures()).containsEntry("lane.fast.pending", 10L);
      others = flood(large, () -> set("k", "v"));
    } finally {
      server.resume();
    }
    assertAllSucceed(others);
    Await.until(() -> small.figures().get("lane.fast.pending") == 0, "nothing is pending");
    assertThat(calls.stream().filter(Future::succeeded)).hasSize(10);
    run(small, set("k", "v"));
  }

  @Test
  @DisplayName("S05 bytes on a silent server are bounded; redis.maxPendingBytes helps")
  void bytes() {
    long bound = 64 << 10;
    String value = "x".repeat(16 << 10);
    StateBackend small = open(options -> options.getRedis().setMaxPendingBytes(bound));
    StateBackend large = open(options -> options.getRedis().setMaxPendingBytes(CALLS * bound));
    run(small, get("warm"));
    run(large, get("warm"));
    server.pause();
    List<Future<?>> others;
    try {
      List<Future<?>> calls = flood(small, () -> set("k", value));
      assertThat(reason(calls, 3)).contains("redis.maxPendingBytes is " + bound + ", in use ");
      others = flood(large, () -> set("k", value));
    } finally {
      server.resume();
    }
    assertAllSucceed(others);
    run(small, set("k", value));
  }

  @Test
  @DisplayName("S05 calls that wait for a connection count as well")
  void waiting() {
    StateBackend backend = open(options -> options.getRedis().setMaxPendingCommands(10));
    run(backend, get("warm"));
    server.kill();
    Await.until(() -> backend.figures().get("lane.fast.connections") == 0, "it is down");
    List<Future<?>> calls = flood(backend, () -> set("k", "v"));
    assertThat(reason(calls, 10)).endsWith("redis.maxPendingCommands is 10, in use 10");
    assertThat(backend.figures()).containsEntry("lane.fast.pending", 10L);
    server.startAgain();
    Await.until(() -> ended(calls).count() == CALLS, "those that waited are answered");
    assertThat(calls.stream().filter(Future::succeeded)).hasSize(10);
  }

  @Test
  @DisplayName("S05 C346 reads that wait are bounded; maxBlockedReads helps")
  void blockedReads() {
    StateBackend small = open(options -> options.setMaxBlockedReads(10));
    StateBackend large = open(options -> options.setMaxBlockedReads(CALLS));
    run(small, new QueueOperation.EnsureGroup("q", "g", "0-0"));
    List<Future<?>> calls = flood(small, OverloadTest::waitingRead);
    assertThat(reason(calls, 10)).contains("maxBlockedReads is 10");
    assertThat(small.figures()).containsEntry("blockedReads", 10L);
    List<Future<?>> others = flood(large, OverloadTest::waitingRead);
    Await.until(() -> large.figures().get("blockedReads") == CALLS, "all wait");
    assertThat(others).noneMatch(Future::isComplete);
    Await.get(small.close());
    Await.get(large.close());
    assertThat(small.figures()).containsEntry("blockedReads", 0L);
    assertThat(large.figures()).containsEntry("blockedReads", 0L);
  }

  private static QueueOperation.Read waitingRead() {
    return new QueueOperation.Read("q", "g", "c", 1, Optional.of(Duration.ofMinutes(1)));
  }

  @Test
  @DisplayName("S05 a flood that goes on keeps what is pending bounded, and leaves no heap behind")
  void heap() {
    StateBackend backend = open(options -> options.getRedis().setMaxPendingCommands(100));
    floods(backend, 10);
    long before = usedHeap();
    floods(backend, 100);
    assertThat(usedHeap() - before).isLessThan(4 * MEBI);
    run(backend, set("k", "v"));
  }

  private void floods(StateBackend backend, int times) {
    for (int i = 0; i < times; i++) {
      List<Future<?>> calls = flood(backend, () -> set("k", "v"));
      assertThat(backend.figures().get("lane.fast.pending")).isLessThanOrEqualTo(100);
      Await.until(() -> ended(calls).count() == CALLS, "all end");
    }
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
