package io.runtimestate.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FakeClockTest {

  @Test
  void movesOnlyWhenToldAcrossTheOverflow() {
    var clock = new FakeClock();
    long before = clock.nanoTime();
    clock.advance(Duration.ofSeconds(2));

    assertThat(clock.nanoTime()).isNegative();
    assertThat(clock.nanoTime() - before).isEqualTo(2_000_000_000L);
    assertThat(clock.unixMillis()).isEqualTo(1_700_000_002_000L);
  }

  @Test
  void wallClockStepsAlone() {
    var clock = new FakeClock(5, 1_000);
    clock.stepUnix(Duration.ofMillis(-400));

    assertThat(clock.nanoTime()).isEqualTo(5);
    assertThat(clock.unixMillis()).isEqualTo(600);
  }
}
