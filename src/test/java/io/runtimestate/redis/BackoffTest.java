package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = new Backoff();

  @Test
  void doublesUpToItsLimit() {
    for (long longest : new long[] {50, 100, 200, 400, 800, 1_600, 2_000, 2_000}) {
      assertThat(backoff.nextMillis()).isBetween(longest / 2, longest);
    }
  }

  @Test
  void startsAgain() {
    backoff.nextMillis();
    backoff.nextMillis();
    backoff.reset();
    assertThat(backoff.nextMillis()).isBetween(25L, 50L);
  }
}
