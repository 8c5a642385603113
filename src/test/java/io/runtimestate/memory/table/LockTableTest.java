package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.RuntimeStateException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LockTableTest {
  private final ExpiryIndex expiry = new ExpiryIndex();
  private final MemoryBudget budget = new MemoryBudget(1_000, () -> false);
  private final LockTable locks = new LockTable(expiry, budget);

  private LockEntry acquire(String key, String token, long deadline, long now) {
    return locks.acquire(key, "o", token, now, deadline, now);
  }

  @Test
  @DisplayName("a lock is live before its deadline and free at it")
  void deadline_isFree() {
    assertThat(acquire("l", "o:1", 100, 0).fencingToken()).isEqualTo(1);
    assertThat(acquire("l", "o:2", 200, 99)).isNull();
    assertThat(locks.renew("l", "o:1", 100, 100)).isFalse();
    assertThat(locks.count()).isZero();
    assertThat(locks.expirations()).isEqualTo(1);
    assertThat(acquire("l", "o:2", 200, 100).token()).isEqualTo("o:2");
  }

  @Test
  @DisplayName("C381 the holding token is granted again, with its fencing token and a new deadline")
  void token_again() {
    LockEntry first = acquire("l", "o:1", 100, 0);
    assertThat(acquire("l", "o:1", 300, 50)).isSameAs(first);
    assertThat(first.deadline()).isEqualTo(300);
    assertThat(locks.count()).isEqualTo(1);
  }

  @Test
  @DisplayName("10.2 fencing tokens follow the clock and never fall, whatever it does")
  void fencing_grows() {
    assertThat(locks.acquire("a", "o", "1", 1_000, 9, 0).fencingToken()).isEqualTo(1_000);
    assertThat(locks.acquire("b", "o", "2", 1_000, 9, 0).fencingToken()).isEqualTo(1_001);
    assertThat(locks.acquire("c", "o", "3", 500, 9, 0).fencingToken()).isEqualTo(1_002);
    assertThat(locks.acquire("d", "o", "4", 5_000, 9, 0).fencingToken()).isEqualTo(5_000);
  }

  @Test
  @DisplayName("a release takes everything back; only the holder's counts")
  void release_takesBack() {
    acquire("l", "o:1", 100, 0);
    assertThat(budget.used()).isEqualTo(LockTable.OVERHEAD + 5L);
    assertThat(locks.release("l", "o:2", 1)).isFalse();
    assertThat(locks.release("m", "o:1", 1)).isFalse();
    assertThat(locks.release("l", "o:1", 1)).isTrue();
    assertThat(locks.release("l", "o:1", 1)).isFalse();
    assertThat(budget.used()).isZero();
    assertThat(expiry.size()).isZero();
    assertThat(locks.count()).isZero();
  }

  @Test
  @DisplayName("the sweep expires what nobody asks for")
  void sweep_expires() {
    acquire("l", "o:1", 100, 0);
    expiry.pollExpired(100).expire();
    assertThat(locks.count()).isZero();
    assertThat(locks.expirations()).isEqualTo(1);
    assertThat(budget.used()).isZero();
  }

  @Test
  @DisplayName("a lock that finds no room changes nothing and uses no fencing token")
  void full_changesNothing() {
    String longName = "x".repeat(1_000);
    assertThatThrownBy(() -> acquire(longName, "o:1", 100, 0))
        .isInstanceOf(RuntimeStateException.class);
    assertThat(locks.count()).isZero();
    assertThat(acquire("l", "o:1", 100, 0).fencingToken()).isEqualTo(1);
  }
}
