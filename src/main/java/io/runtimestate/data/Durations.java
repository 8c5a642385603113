package io.runtimestate.data;

import java.time.Duration;

/** The one rule for durations: whole milliseconds, rounded up, at most 100 years. */
public final class Durations {
  /** The longest duration accepted anywhere: 36 525 days. */
  public static final Duration LONGEST = Duration.ofDays(36_525);

  private static final int NANOS_PER_MILLI = 1_000_000;

  private Durations() {}

  /**
   * Rounds a duration up to whole milliseconds; zero stays zero.
   *
   * @throws IllegalArgumentException with the broken rule as its message, if the duration is
   *     negative or above {@link #LONGEST}
   */
  public static Duration roundUp(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("must not be negative");
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("must be at most 36525 days");
    }
    return duration.getNano() % NANOS_PER_MILLI == 0 ? duration : ceiling(duration);
  }

  private static Duration ceiling(Duration duration) {
    int millis = (duration.getNano() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    return Duration.ofMillis(duration.getSeconds() * 1000 + millis);
  }
}
