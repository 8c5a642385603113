package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.RateDecision.Allowed;
import io.runtimestate.data.RateDecision.Rejected;
import io.runtimestate.data.RateScope;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RateCountersTest {
  private static final long MAX = 4_294_967_295L;

  private final ExpiryIndex expiry = new ExpiryIndex();
  private final MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE, () -> false);
  private final ControlTable<RateCounter> table =
      new ControlTable<>(expiry, budget, () -> this.now);
  private final RateCounters counters = new RateCounters(table);
  private long now;

  @Test
  @DisplayName("C217 a counter lives from its first admission, whatever comes later")
  void consume_expiry() {
    List<RateScope> scopes = List.of(new RateScope("s", "k", 5));
    counters.consume(scopes, 1, 1, 300, Optional.empty());
    now = 200;
    counters.consume(scopes, 1, 1, 500, Optional.empty());
    counters.refund(scopes, 1, 1);
    assertThat(counters.count("k", 1)).isEqualTo(1);
    now = 300;
    assertThat(counters.count("k", 1)).isZero();
    assertThat(table.size()).isZero();
    assertThat(budget.used()).isZero();
  }

  @Test
  @DisplayName("7.1 a key charged by two scopes must have room for both")
  void consume_sameKey() {
    List<RateScope> scopes = List.of(new RateScope("a", "k", 3), new RateScope("b", "k", 4));
    assertThat(counters.consume(scopes, 0, 2, 9, Optional.empty()))
        .isEqualTo(new Allowed(0, 3, Optional.empty()));
    assertThat(counters.count("k", 0)).isEqualTo(4);
    assertThat(counters.consume(scopes, 0, 1, 9, Optional.empty()))
        .isEqualTo(new Rejected("a", 3, Optional.empty()));
  }

  @Test
  @DisplayName("C206 J15 the largest limit and cost do not overflow")
  void consume_extremes() {
    List<RateScope> scopes = List.of(new RateScope("a", "k", MAX), new RateScope("b", "k", MAX));
    assertThat(counters.consume(scopes, (1L << 53) - 1, MAX, 9, Optional.empty()))
        .isEqualTo(new Rejected("b", MAX, Optional.empty()));
    assertThat(table.size()).isZero();
    counters.consume(scopes.subList(0, 1), 0, MAX, 9, Optional.empty());
    assertThat(counters.count("k", 0)).isEqualTo(MAX);
    counters.refund(scopes, 0, MAX);
    assertThat(counters.count("k", 0)).isZero();
  }
}
