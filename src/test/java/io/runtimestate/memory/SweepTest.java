package io.runtimestate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.MemoryOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FakeClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SweepTest {
  private static final int KEYS = 200_000;
  private static final Duration TTL = Duration.ofSeconds(1);

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = ((VertxInternal) vertx).createEventLoopContext();
  private final FakeClock clock = new FakeClock();

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("however often statistics are asked for, one sweep is under way")
  void statistics_oneSweep() {
    StateBackend state = opened();
    IntStream.range(0, KEYS / 10_000).forEach(part -> fill(state, part * 10_000));
    clock.advance(TTL);
    List<Long> counts = onLoop(() -> counts(state));
    assertThat(counts.get(0)).isGreaterThan(0);
    assertThat(counts).containsOnly(counts.get(0));
    Await.until(() -> values(state) == 0, "swept");
  }

  private StateBackend opened() {
    MemoryOptions memory = new MemoryOptions().setMaxValues(KEYS);
    RuntimeStateOptions options = new RuntimeStateOptions().setMemory(memory);
    return Await.get(onLoop(() -> MemoryBackend.open(vertx, options, clock)));
  }

  private void fill(StateBackend state, int from) {
    Await.get(
        Future.all(
            IntStream.range(from, from + 10_000)
                .mapToObj(i -> new KvOperation.Set("k" + i, "v", Optional.of(TTL), false))
                .map(state::execute)
                .toList()));
  }

  /** What some calls in one turn of the loop see. */
  private static List<Long> counts(StateBackend state) {
    return Stream.generate(() -> state.execute(new SystemOperation.Statistics()))
        .limit(50)
        .map(answer -> answer.result().store().orElseThrow().values())
        .toList();
  }

  private static long values(StateBackend state) {
    return Await.get(state.execute(new SystemOperation.Statistics()))
        .store()
        .orElseThrow()
        .values();
  }

  private <T> T onLoop(Supplier<T> call) {
    Promise<T> answer = Promise.promise();
    loop.runOnContext(now -> answer.complete(call.get()));
    return Await.get(answer.future());
  }
}
