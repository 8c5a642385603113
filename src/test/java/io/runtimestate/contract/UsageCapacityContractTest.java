package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.UsageLimits;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.StoreFigures;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/** The bounds that the memory backend alone has. */
class UsageCapacityContractTest {
  private static final long CLOCK_AT_OPEN = 1_000;

  private final FakeClock clock = new FakeClock(0, CLOCK_AT_OPEN);

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C253 a call that finds no room stores nothing for any rule")
  void consume_full(Fixture f) {
    RuntimeState state = open(f, 2, 2);
    UsageLimits usage = state.usage();
    get(usage.consume(List.of(rule("{t}a")), "e1", CLOCK_AT_OPEN));
    assertFails(
            usage.consume(List.of(rule("{t}b"), rule("{t}c")), "e2", CLOCK_AT_OPEN),
            FailureCode.CAPACITY_EXHAUSTED)
        .contains("memory.maxUsageWindows is 2 with 1 in use")
        .contains("memory.maxUsageEvents is 2 with 1 in use");
    assertStored(state, 1, 1);
    assertThat(get(usage.peek(List.of(rule("{t}a")), "e1", CLOCK_AT_OPEN)).get(0).counted())
        .isTrue();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C254 a window whose retention is over by the clock makes room")
  void consume_reclaims(Fixture f) {
    RuntimeState state = open(f, 1, 1);
    get(state.usage().consume(List.of(rule("{t}a")), "e1"));
    clock.advance(ms(999));
    assertFails(state.usage().consume(List.of(rule("{t}b")), "e2"), FailureCode.CAPACITY_EXHAUSTED);
    clock.advance(ms(1));
    assertThat(get(state.usage().consume(List.of(rule("{t}b")), "e2")).isAllowed()).isTrue();
    assertStored(state, 1, 1);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C255 a released event makes room")
  void release_makesRoom(Fixture f) {
    RuntimeState state = open(f, 1, 1);
    UsageLimits usage = state.usage();
    get(usage.consume(List.of(rule("{t}a")), "e1"));
    assertFails(usage.consume(List.of(rule("{t}b")), "e2"), FailureCode.CAPACITY_EXHAUSTED);
    assertThat(get(usage.consume(List.of(rule("{t}a")), "e1")).isAllowed()).isTrue();
    get(usage.release(List.of(rule("{t}a")), "e1"));
    assertStored(state, 0, 0);
    assertThat(get(usage.consume(List.of(rule("{t}b")), "e2")).isAllowed()).isTrue();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C271 only what is over by the clock is reclaimed, also if its time lies far back")
  void consume_reclaimsBehind(Fixture f) {
    RuntimeState state = open(f, 3, 10);
    UsageLimits usage = state.usage();
    clock.advance(seconds(100));
    get(usage.consume(List.of(rule("{t}behind")), "e", 5_000));
    get(usage.consume(List.of(rule("{t}present")), "e"));
    get(usage.consume(List.of(rule("{t}ahead")), "e", 500_000));
    assertThat(get(usage.consume(List.of(rule("{t}new")), "e")).isAllowed()).isTrue();
    assertStored(state, 3, 3);
    assertThat(get(usage.peek(List.of(rule("{t}behind")), "e", 5_000)).get(0).counted()).isFalse();
    assertThat(get(usage.peek(List.of(rule("{t}present")), "e")).get(0).counted()).isTrue();
    assertFails(usage.consume(List.of(rule("{t}newer")), "e"), FailureCode.CAPACITY_EXHAUSTED);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C272 100 000 windows never touched again are forgotten without any call on them")
  void windows_forgotten(Fixture f) {
    RuntimeState state = open(f, 200_000, 200_000);
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      UsageRule rule = new UsageRule("{t}" + i, 5, ms(10));
      calls.add(state.usage().consume(List.of(rule), "e"));
      if (calls.size() == 10_000) {
        get(Future.all(calls));
        calls.clear();
      }
    }
    assertStored(state, 100_000, 100_000);
    clock.advance(ms(60_019));
    assertStored(state, 100_000, 100_000);
    clock.advance(ms(1));
    Await.until(() -> stored(state).windows() == 0, "the sweep drops a batch at a time");
    assertStored(state, 0, 0);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C260 a check of a window with 20 000 events takes less than 5 ms")
  void consume_large(Fixture f) {
    RuntimeState state = open(f, 10, 100_000);
    UsageRule rule = new UsageRule("{t}", 100_000, seconds(60));
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      calls.add(state.usage().consume(List.of(rule), "e" + i, 1_000 + i));
    }
    get(Future.all(calls));
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 50; i++) {
      long start = System.nanoTime();
      get(state.usage().consume(List.of(rule), "new" + i, 30_000 + i));
      best = Math.min(best, System.nanoTime() - start);
    }
    assertThat(Duration.ofNanos(best)).isLessThan(ms(5));
  }

  private RuntimeState open(Fixture f, int maxWindows, int maxEvents) {
    RuntimeStateOptions options = f.options();
    options.getMemory().setMaxUsageWindows(maxWindows).setMaxUsageEvents(maxEvents);
    return f.open(options, clock);
  }

  private static void assertStored(RuntimeState state, long windows, long events) {
    StoreFigures store = stored(state);
    assertThat(store.windows()).isEqualTo(windows);
    assertThat(store.events()).isEqualTo(events);
  }

  private static StoreFigures stored(RuntimeState state) {
    return get(state.statistics()).store().orElseThrow();
  }

  private static UsageRule rule(String key) {
    return new UsageRule(key, 5, seconds(1));
  }
}
