package io.runtimestate.observe;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.OperationStatistics;
import io.runtimestate.data.Statistics;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

class StatisticsTest {

  @EachBackend
  @DisplayName("C439 every finished operation counts once, by outcome and code, without a registry")
  void statistics_countOutcomes(Fixture f) {
    RuntimeState state = f.open(f.options());
    useEverything(state, f.key("k"));
    Statistics statistics = get(state.statistics());
    Map<String, OperationStatistics> operations = statistics.operations();
    assertCounts(operations.get("kv.set"), 1, 0, Map.of());
    assertCounts(operations.get("kv.setIfAbsent"), 3, 2, Map.of());
    assertCounts(operations.get("kv.compareAndSet"), 2, 1, Map.of());
    assertCounts(operations.get("kv.deleteIfEquals"), 1, 1, Map.of());
    assertCounts(operations.get("kv.increment"), 2, 0, Map.of(FailureCode.WRONG_TYPE, 2L));
    assertCounts(operations.get("kv.get"), 1, 0, Map.of());
    assertCounts(operations.get("key.delete"), 1, 0, Map.of());
    assertCounts(operations.get("key.exists"), 1, 0, Map.of());
    assertThat(operations).doesNotContainKeys("kv.take", "key.scan");
    assertThat(statistics.store().isPresent()).isEqualTo(f.isMemory());
    assertThat(statistics.uptime()).isPositive();
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("C439 metrics show the numbers of the statistics")
  void metrics_countOutcomes(Fixture f) {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      useEverything(metered.open(f.options()), f.key("k"));
      assertThat(metered.timer("kv.set", "ok").count()).isEqualTo(1);
      assertThat(metered.timer("kv.setIfAbsent", "ok").count()).isEqualTo(1);
      assertThat(metered.timer("kv.setIfAbsent", "rejected").count()).isEqualTo(2);
      assertThat(metered.timer("kv.compareAndSet", "rejected").count()).isEqualTo(1);
      assertThat(metered.timer("kv.increment", "wrong_type").count()).isEqualTo(2);
      assertThat(metered.timer("kv.increment", "ok").count()).isZero();
      assertThat(metered.timer("key.delete", "ok").count()).isEqualTo(1);
      assertThat(metered.calls()).isEqualTo(12);
    }
  }

  /** Twelve calls with a known outcome each. */
  private static void useEverything(RuntimeState state, String key) {
    get(state.kv().set(key, "text"));
    get(state.kv().setIfAbsent(key, "other"));
    get(state.kv().setIfAbsent(key, "other"));
    get(state.kv().compareAndSet(key, "no", "other"));
    get(state.kv().compareAndSet(key, "text", "text"));
    get(state.kv().deleteIfEquals(key, "no"));
    Await.failure(state.kv().increment(key, 1));
    Await.failure(state.kv().increment(key, 1));
    get(state.kv().get(key + ".missing")); // empty, and yet no refusal
    get(state.keys().delete(key + ".missing"));
    get(state.keys().exists(key));
    get(state.kv().setIfAbsent(key + ".new", "text"));
  }

  private static void assertCounts(
      OperationStatistics operation, long count, long rejected, Map<FailureCode, Long> failures) {
    assertThat(operation.count()).isEqualTo(count);
    assertThat(operation.rejected()).isEqualTo(rejected);
    assertThat(operation.failures()).isEqualTo(failures);
  }
}
