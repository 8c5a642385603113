package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.KeyValues;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.OperationStatistics;
import io.runtimestate.data.Statistics;
import io.runtimestate.data.StoreFigures;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

class StatisticsContractTest {

  @EachBackend
  @DisplayName("C439 successes, refusals and failures are counted by operation and code")
  void counts_exact(Fixture f) {
    RuntimeState state = f.open(f.options());
    use(state.kv());
    get(state.keys().delete("missing"));
    get(state.keys().expire("missing", ms(1)));
    Statistics statistics = get(state.statistics());
    assertCounted(statistics, "kv.set", 3, 0, Map.of());
    assertCounted(statistics, "kv.setIfAbsent", 3, 2, Map.of());
    assertCounted(statistics, "kv.compareAndSet", 2, 1, Map.of());
    assertCounted(statistics, "kv.deleteIfEquals", 2, 1, Map.of());
    assertCounted(statistics, "kv.get", 1, 0, Map.of());
    assertCounted(statistics, "kv.take", 1, 0, Map.of());
    assertCounted(statistics, "key.delete", 1, 0, Map.of());
    assertCounted(statistics, "key.expire", 1, 0, Map.of());
    Map<FailureCode, Long> failures =
        Map.of(FailureCode.WRONG_TYPE, 2L, FailureCode.INVALID_INPUT, 1L);
    assertCounted(statistics, "kv.increment", 4, 0, failures);
    assertThat(statistics.operations()).doesNotContainKeys("kv.getMany", "key.scan");
    assertThat(statistics.store().isPresent()).isEqualTo(f.isMemory());
    get(state.keys().deleteMany(List.of("text", "new", "number")));
  }

  private static void use(KeyValues kv) {
    get(kv.set("text", "x"));
    get(kv.set("text", "x", Duration.ofMinutes(1)));
    get(kv.set("number", Long.toString(Long.MAX_VALUE)));
    assertThat(get(kv.setIfAbsent("new", "x"))).isTrue();
    assertThat(get(kv.setIfAbsent("new", "y"))).isFalse();
    assertThat(get(kv.setIfAbsent("text", "y"))).isFalse();
    assertThat(get(kv.compareAndSet("new", "x", "y"))).isTrue();
    assertThat(get(kv.compareAndSet("new", "x", "y"))).isFalse();
    assertThat(get(kv.deleteIfEquals("new", "z"))).isFalse();
    assertThat(get(kv.deleteIfEquals("new", "y"))).isTrue();
    assertThat(get(kv.get("missing"))).isEmpty();
    assertThat(get(kv.take("missing"))).isEmpty();
    assertFails(kv.increment("text", 1), FailureCode.WRONG_TYPE);
    assertFails(kv.increment("text", 2), FailureCode.WRONG_TYPE);
    assertFails(kv.increment("number", 1), FailureCode.INVALID_INPUT);
    get(kv.increment("number", -1));
  }

  private static void assertCounted(
      Statistics statistics,
      String operation,
      long count,
      long rejected,
      Map<FailureCode, Long> failures) {
    OperationStatistics counted = statistics.operations().get(operation);
    assertThat(counted).as(operation).isNotNull();
    assertThat(counted.count()).as(operation).isEqualTo(count);
    assertThat(counted.rejected()).as(operation).isEqualTo(rejected);
    assertThat(counted.failures()).as(operation).isEqualTo(failures);
    Map<String, Long> buckets = counted.latency().buckets();
    assertThat(List.copyOf(buckets.values())).isSorted();
    assertThat(buckets.keySet())
        .containsExactly(
            "1", "5", "10", "25", "50", "100", "250", "500", "1000", "2500", "5000", "10000",
            "+Inf");
    assertThat(buckets.get("+Inf")).isBetween(1L, count);
    assertThat(counted.latency().maxMs()).isLessThanOrEqualTo(counted.latency().totalMs() + 1);
  }

  @EachBackend
  @DisplayName("12 uptime grows, and statistics count themselves once they are finished")
  void statistics_ofThemselves(Fixture f) {
    RuntimeState state = f.open(f.options());
    Statistics first = get(state.statistics());
    assertThat(first.operations()).doesNotContainKey("system.statistics");
    assertThat(first.blockedReads() + first.heldLeases() + first.heldPermits()).isZero();
    Statistics second = get(state.statistics());
    assertThat(second.operations().get("system.statistics").count()).isEqualTo(1);
    assertThat(second.uptime()).isGreaterThan(first.uptime());
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.BUS})
  @DisplayName("C441 figures of values go up and back to 0; expirations and evictions are counted")
  void figures_ofValues(Fixture f) {
    FakeClock clock = new FakeClock();
    RuntimeStateOptions options = f.options();
    options.getMemory().setMaxValues(4);
    RuntimeState state = f.open(options, clock);
    for (int i = 0; i < 6; i++) {
      get(state.kv().set("k" + i, "é", i < 5 ? Duration.ofSeconds(5) : null));
    }
    StoreFigures full = figures(state);
    assertThat(full.values()).isEqualTo(4);
    assertThat(full.evictions()).isEqualTo(2);
    assertThat(full.expirations()).isZero();
    assertThat(full.bytes()).isBetween(4L * (16 + 4), 4L * (256 + 4));
    clock.advance(Duration.ofSeconds(5));
    assertThat(figures(state).values()).isEqualTo(1);
    assertThat(figures(state).expirations()).isEqualTo(3);
    get(state.keys().delete("k5"));
    StoreFigures empty = figures(state);
    assertThat(empty.values()).isZero();
    assertThat(empty.bytes()).isZero();
    assertThat(empty.evictions()).isEqualTo(2);
    assertThat(empty.expirations()).isEqualTo(3);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("13.7 expired values are reclaimed without being touched")
  void sweep_reclaims(Fixture f) {
    RuntimeState state = f.open(f.options());
    for (String key : f.keys("k", 5_000)) {
      state.kv().set(key, "v", ms(20));
    }
    get(state.kv().set("stays", "v"));
    Await.until(() -> figures(state).values() == 1, "swept");
    assertThat(figures(state).expirations()).isEqualTo(5_000);
  }

  private static StoreFigures figures(RuntimeState state) {
    return get(state.statistics()).store().orElseThrow();
  }
}
