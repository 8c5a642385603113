package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsageRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageWindowsTest {
  private static final int NO_BOUND = Integer.MAX_VALUE;

  private final ExpiryIndex expiry = new ExpiryIndex();
  private final MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE, () -> false);
  private final ControlTable<UsageWindow> table =
      new ControlTable<>(expiry, budget, () -> this.clock);
  private long clock;

  @ParameterizedTest
  @DisplayName("C259 C266 random histories with regressing clocks are those of plain lists")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomHistory_likeLists(long seed) {
    Random random = new Random(seed);
    UsageWindows windows = new UsageWindows(table, NO_BOUND, NO_BOUND);
    UsageModel model = new UsageModel();
    long now = 10_000;
    for (int step = 0; step < 4_000; step++) {
      now = Math.max(0, now + random.nextInt(400) - (random.nextInt(4) == 0 ? 600 : 0));
      List<UsageRule> rules = rules(random);
      String event = "e" + random.nextInt(60);
      if (random.nextInt(8) == 0) {
        List<String> keys = rules.stream().map(UsageRule::key).toList();
        windows.release(keys, event);
        model.release(keys, event);
      } else {
        assertThat(windows.peek(rules, event, now)).isEqualTo(model.peek(rules, event, now));
      }
      if (random.nextInt(3) > 0) {
        UsageDecision decision = windows.consume(rules, event, now, 0, millis -> 1);
        assertThat(decision).isEqualTo(model.consume(rules, event, now));
      }
      assertThat(windows.events()).isEqualTo(model.events());
      assertThat(table.size()).isEqualTo(model.windows());
    }
    release(windows);
    assertThat(table.size()).isZero();
    assertThat(windows.events()).isZero();
    assertThat(budget.used()).isZero();
    assertThat(expiry.size()).isZero();
  }

  private static void release(UsageWindows windows) {
    for (int event = 0; event < 60; event++) {
      windows.release(List.of("{t}0", "{t}1", "{t}2"), "e" + event);
    }
  }

  private static List<UsageRule> rules(Random random) {
    List<UsageRule> rules = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      if (random.nextBoolean()) {
        rules.add(
            new UsageRule(
                "{t}" + i,
                1 + random.nextInt(6),
                Duration.ofMillis(1 + random.nextInt(2_000)),
                Duration.ofMillis(1 + random.nextInt(3_000))));
      }
    }
    return rules;
  }

  @Test
  @DisplayName("C253 a call that finds no room stores nothing")
  void consume_full() {
    UsageWindows windows = new UsageWindows(table, 2, 2);
    consume(windows, "e", 1_000, 0, rule("{t}a"));
    assertThatThrownBy(() -> consume(windows, "f", 1_000, 0, rule("{t}b"), rule("{t}c")))
        .isInstanceOf(RuntimeStateException.class)
        .hasMessageContaining("memory.maxUsageWindows is 2 with 1 in use")
        .hasMessageContaining("memory.maxUsageEvents is 2 with 1 in use");
    assertThat(table.size()).isEqualTo(1);
    assertThat(windows.events()).isEqualTo(1);
  }

  @Test
  @DisplayName("C271 what is over by the backend's clock makes room, nothing else does")
  void consume_reclaims() {
    UsageWindows windows = new UsageWindows(table, 2, 10);
    consume(windows, "behind", 1_000, 50_000, rule("{t}a"));
    consume(windows, "present", 50_000, 50_000, rule("{t}b"));
    assertThat(consume(windows, "new", 50_000, 50_000, rule("{t}c"))).isTrue();
    assertThat(table.find("{t}a")).isNull();
    assertThatThrownBy(() -> consume(windows, "newer", 50_000, 50_000, rule("{t}d")))
        .isInstanceOf(RuntimeStateException.class);
    assertThat(table.find("{t}b")).isNotNull();
  }

  @Test
  @DisplayName("8.3 a call that reclaims its own windows makes them anew")
  void consume_reclaimsOwn() {
    UsageWindows windows = new UsageWindows(table, 1, 10);
    consume(windows, "e", 1_000, 50_000, rule("{t}a"));
    assertThatThrownBy(() -> consume(windows, "f", 1_001, 50_000, rule("{t}a"), rule("{t}b")))
        .isInstanceOf(RuntimeStateException.class);
    assertThat(table.size()).isZero();
    assertThat(consume(windows, "f", 1_001, 50_000, rule("{t}a"))).isTrue();
    assertThat(windows.events()).isEqualTo(1);
  }

  @Test
  @DisplayName("8.3 events that are over by the backend's clock go, the rest of the window stays")
  void consume_reclaimsEvents() {
    UsageWindows windows = new UsageWindows(table, 10, 3);
    consume(windows, "old", 1_000, 1_000, rule("{t}a"));
    consume(windows, "young", 1_900, 1_900, rule("{t}a"));
    consume(windows, "other", 1_900, 1_900, rule("{t}b"));
    assertThat(consume(windows, "new", 1_950, 2_000, rule("{t}c"))).isTrue();
    assertThat(table.find("{t}a").size()).isEqualTo(1);
    assertThat(table.find("{t}a").event("young")).isNotNull();
  }

  @Test
  @DisplayName("8.3 a replay needs no capacity and is never reclaimed for it")
  void consume_replay() {
    UsageWindows windows = new UsageWindows(table, 1, 1);
    consume(windows, "e", 1_000, 90_000, rule("{t}a"));
    assertThat(consume(windows, "e", 1_500, 90_000, rule("{t}a"))).isTrue();
    assertThat(table.find("{t}a").earliest(0).at).isEqualTo(1_000);
  }

  @Test
  @DisplayName("8.3 a window may be forgotten 2 x retention + 60 s after its last admitted check")
  void consume_garbage() {
    UsageWindows windows = new UsageWindows(table, 10, 10);
    windows.consume(List.of(rule("{t}a")), "e", 1_000, 1_000, millis -> clock + millis);
    assertThat(expiry.earliest()).isEqualTo(62_000);
    clock = 100;
    windows.consume(List.of(rule("{t}a")), "e", 1_000, 1_100, millis -> clock + millis);
    assertThat(expiry.earliest()).isEqualTo(62_100);
    clock = 62_100;
    assertThat(table.find("{t}a")).isNull();
    assertThat(windows.events()).isZero();
  }

  private static boolean consume(
      UsageWindows windows, String event, long now, long unixNow, UsageRule... rules) {
    return windows
        .consume(List.of(rules), event, now, unixNow, millis -> Entry.NEVER - 1)
        .isAllowed();
  }

  private static UsageRule rule(String key) {
    return new UsageRule(key, 5, Duration.ofSeconds(1));
  }
}
