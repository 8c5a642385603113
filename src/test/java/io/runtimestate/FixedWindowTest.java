package io.runtimestate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FixedWindowTest {
  private final FixedWindow minute = new FixedWindow(Duration.ofSeconds(60));

  @Test
  @DisplayName("C213 buckets, their ends and the life of their counters")
  void buckets() {
    assertThat(minute.bucketAt(0)).isZero();
    assertThat(minute.bucketAt(59_999)).isZero();
    assertThat(minute.bucketAt(60_000)).isEqualTo(1);
    assertThat(minute.ttl()).isEqualTo(Duration.ofSeconds(120));
    assertThat(minute.retryAfterAt(59_999)).isEqualTo(Duration.ofMillis(1));
    assertThat(minute.retryAfterAt(60_000)).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  @DisplayName("C213 a window must be positive and of a legal length")
  void window_invalid() {
    assertInvalid(Duration.ZERO);
    assertInvalid(Duration.ofMillis(-1));
    assertInvalid(null);
    assertInvalid(Durations.LONGEST.plusMillis(1));
  }

  @Test
  void window_roundsUp() {
    assertThat(new FixedWindow(Duration.ofNanos(1)).window()).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void ttl_capped() {
    assertThat(new FixedWindow(Durations.LONGEST).ttl()).isEqualTo(Durations.LONGEST);
  }

  private static void assertInvalid(Duration window) {
    assertThatThrownBy(() -> new FixedWindow(window))
        .isInstanceOfSatisfying(
            RuntimeStateException.class,
            failure -> assertThat(failure.code()).isEqualTo(FailureCode.INVALID_INPUT));
  }
}
