package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.RuntimeStateException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SemaphoreTableTest {
  private final ExpiryIndex expiry = new ExpiryIndex();
  private final MemoryBudget budget = new MemoryBudget(10_000, () -> false);
  private final SemaphoreTable semaphores = new SemaphoreTable(expiry, budget);

  @Test
  @DisplayName("permits count until their deadline, in the index of the store as one entry")
  void deadline_freesPlace() {
    assertThat(semaphores.tryAcquire("s", "1", 2, 100, 0)).isEqualTo(1);
    assertThat(semaphores.tryAcquire("s", "2", 2, 50, 0)).isEqualTo(2);
    assertThat(semaphores.tryAcquire("s", "3", 2, 200, 49)).isEqualTo(SemaphoreTable.SATURATED);
    assertThat(expiry.size()).isEqualTo(1);
    assertThat(expiry.earliest()).isEqualTo(50);
    assertThat(semaphores.tryAcquire("s", "3", 2, 200, 50)).isEqualTo(2);
    assertThat(expiry.earliest()).isEqualTo(100);
    assertThat(semaphores.release("s", "2", 50)).isFalse();
    assertThat(semaphores.renew("s", "1", 300, 50)).isTrue();
    assertThat(expiry.earliest()).isEqualTo(200);
    assertThat(semaphores.inFlight("s", 299)).isEqualTo(1);
    assertThat(semaphores.inFlight("s", 300)).isZero();
    assertThat(semaphores.expirations()).isEqualTo(3);
    assertThat(budget.used()).isZero();
    assertThat(expiry.size()).isZero();
  }

  @Test
  @DisplayName("C421 a token that holds is granted again, even above the limit")
  void token_again() {
    semaphores.tryAcquire("s", "1", 5, 100, 0);
    semaphores.tryAcquire("s", "2", 5, 100, 0);
    assertThat(semaphores.tryAcquire("s", "1", 1, 300, 0)).isEqualTo(2);
    assertThat(semaphores.inFlight("s", 200)).isEqualTo(1);
  }

  @Test
  @DisplayName("the sweep drops one permit at a time, and then the semaphore")
  void sweep_dropsOneByOne() {
    for (int i = 0; i < 10; i++) {
      semaphores.tryAcquire("s", "t" + i, 10, 100 + i, 0);
    }
    for (int left = 9; left >= 0; left--) {
      expiry.pollExpired(200).expire();
      assertThat(semaphores.permits()).isEqualTo(left);
    }
    assertThat(expiry.pollExpired(200)).isNull();
    assertThat(budget.used()).isZero();
  }

  @Test
  @DisplayName("a permit that finds no room changes nothing")
  void full_changesNothing() {
    semaphores.tryAcquire("s", "1", 5, 100, 0);
    long used = budget.used();
    String longToken = "x".repeat(10_000);
    assertThatThrownBy(() -> semaphores.tryAcquire("s", longToken, 5, 100, 0))
        .isInstanceOf(RuntimeStateException.class);
    assertThatThrownBy(() -> semaphores.tryAcquire("other", longToken, 5, 100, 0))
        .isInstanceOf(RuntimeStateException.class);
    assertThat(budget.used()).isEqualTo(used);
    assertThat(semaphores.permits()).isEqualTo(1);
  }

  @Test
  @DisplayName("C467 random histories agree with a map of deadlines")
  void histories_agree() {
    Random random = new Random(7);
    Map<String, Long> model = new HashMap<>();
    for (int now = 0; now < 20_000; now++) {
      int at = now;
      model.values().removeIf(deadline -> deadline <= at);
      String token = "t" + random.nextInt(20);
      long deadline = now + 1 + random.nextInt(30);
      switch (random.nextInt(3)) {
        case 0 -> {
          int limit = 1 + random.nextInt(8);
          boolean granted = model.containsKey(token) || model.size() < limit;
          if (granted) {
            model.put(token, deadline);
          }
          assertThat(semaphores.tryAcquire("s", token, limit, deadline, now))
              .isEqualTo(granted ? model.size() : SemaphoreTable.SATURATED);
        }
        case 1 ->
            assertThat(semaphores.renew("s", token, deadline, now))
                .isEqualTo(model.computeIfPresent(token, (key, old) -> deadline) != null);
        default ->
            assertThat(semaphores.release("s", token, now)).isEqualTo(model.remove(token) != null);
      }
      assertThat(semaphores.holders("s", now)).hasSize(model.size());
    }
  }
}
