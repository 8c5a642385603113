package io.runtimestate.config;

import io.runtimestate.data.Durations;
import java.time.Duration;

/** Durations of options, which stay as they are until they are checked; no overflow escapes. */
final class Millis {
  private Millis() {}

  /** Rounds a legal duration up to whole milliseconds; leaves others for the check to report. */
  static Duration roundUp(Duration duration) {
    boolean legal = duration != null && !duration.isNegative() && !isTooLong(duration);
    return legal ? Durations.roundUp(duration) : duration;
  }

  static boolean isTooLong(Duration duration) {
    return duration.compareTo(Durations.LONGEST) > 0;
  }

  /** Whole milliseconds; what does not fit becomes the nearest number, which is illegal anyway. */
  static long of(Duration duration) {
    try {
      return duration.toMillis();
    } catch (ArithmeticException overflow) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
