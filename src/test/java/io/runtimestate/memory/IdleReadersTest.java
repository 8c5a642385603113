package io.runtimestate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.spi.TimeSource;
import io.runtimestate.support.Await;
import io.runtimestate.support.Footprint;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reads that wait cost nothing while they wait. */
class IdleReadersTest {
  private static final int READERS = 10_000;
  private static final Duration IDLE = Duration.ofSeconds(2);
  private static final long MOST_MILLIS = 50;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = ((VertxInternal) vertx).createEventLoopContext();

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("9.5 10 000 idle readers take no time of their loop, and are served in order")
  void readers_idle() {
    RuntimeStateOptions options = new RuntimeStateOptions().setMaxBlockedReads(READERS);
    StateBackend state =
        Await.get(onLoop(() -> MemoryBackend.open(vertx, options, TimeSource.SYSTEM)));
    run(state, new QueueOperation.EnsureGroup("s", "g", "0-0"));
    List<Future<List<QueueEntry>>> readers = readers(state);
    Await.until(() -> state.figures().get("blockedReads") == READERS, "all wait");
    Footprint footprint = Footprint.atRest(vertx, null);
    assertThat(footprint.timers()).isLessThanOrEqualTo(1);
    assertThat(TimeUnit.NANOSECONDS.toMillis(timeOfLoopWhileIdle())).isLessThan(MOST_MILLIS);
    assertThat(Footprint.of(vertx, null)).isEqualTo(footprint);
    assertThat(readers).noneMatch(Future::isComplete);
    List<String> ids = append(state);
    for (int i = 0; i < READERS; i++) {
      assertThat(Await.get(readers.get(i))).extracting(QueueEntry::id).containsExactly(ids.get(i));
    }
  }

  private List<Future<List<QueueEntry>>> readers(StateBackend state) {
    List<Future<List<QueueEntry>>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(
          state.execute(
              new QueueOperation.Read("s", "g", "c" + i, 1, Optional.of(Duration.ofHours(1)))));
    }
    return readers;
  }

  private long timeOfLoopWhileIdle() {
    long thread = Await.get(onLoop(() -> Future.succeededFuture(Thread.currentThread().getId())));
    long before = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread);
    assertThat(before).as("thread times are measured").isNotNegative();
    long end = System.nanoTime() + IDLE.toNanos();
    for (long left = IDLE.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread) - before;
  }

  private List<String> append(StateBackend state) {
    List<String> ids = new ArrayList<>();
    List<Map<String, String>> entries =
        IntStream.range(0, 1_000).mapToObj(i -> Map.of("f", "" + i)).toList();
    while (ids.size() < READERS) {
      ids.addAll(run(state, new QueueOperation.AppendAll("s", entries, OptionalLong.empty())));
    }
    return ids;
  }

  private static <R> R run(StateBackend state, Operation<R> operation) {
    return Await.get(state.execute(operation));
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> call) {
    Promise<T> result = Promise.promise();
    loop.runOnContext(now -> call.get().onComplete(result));
    return result.future();
  }
}
