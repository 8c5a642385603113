package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private int reclaimable;
  private final MemoryBudget budget = new MemoryBudget(100, this::reclaim);

  private boolean reclaim() {
    if (reclaimable > 0) {
      reclaimable--;
      budget.add(-10);
      return true;
    }
    return false;
  }

  @Test
  void growth_upToTheBound() {
    budget.add(60);
    assertThat(budget.fits(40)).isTrue();
    assertThat(budget.fits(41)).isFalse();
    budget.require(40);
    assertThat(budget.used()).isEqualTo(60);
  }

  @Test
  void require_reclaimsNoMoreThanNeeded() {
    budget.add(95);
    reclaimable = 5;
    budget.require(20);
    assertThat(budget.used()).isEqualTo(75);
    assertThat(reclaimable).isEqualTo(3);
  }

  @Test
  void require_refusesAndNamesTheOption() {
    budget.add(95);
    assertThatThrownBy(() -> budget.require(6))
        .isInstanceOfSatisfying(
            RuntimeStateException.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
              assertThat(failure.getMessage()).contains("memory.maxBytes", "100", "95");
            });
  }

  @Test
  void shrinking_alwaysFits() {
    budget.add(200);
    budget.require(0);
    budget.require(-1);
    assertThat(budget.fits(1)).isFalse();
  }
}
