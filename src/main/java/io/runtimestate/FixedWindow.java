package io.runtimestate;

import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.time.Duration;

/**
 * Divides time into buckets of equal length, for rate limits: bucket n holds the unix times from n
 * × window up to, but not including, (n + 1) × window.
 */
public final class FixedWindow {
  private final Duration window;
  private final long millis;
  private final Duration ttl;

  /**
   * Buckets of that length, rounded up to whole milliseconds.
   *
   * @throws RuntimeStateException INVALID_INPUT if it is null, zero, negative or above 36 525 days
   */
  public FixedWindow(Duration window) {
    this.window = checked(window);
    this.millis = this.window.toMillis();
    this.ttl = Duration.ofMillis(Math.min(2 * millis, Durations.LONGEST.toMillis()));
  }

  private static Duration checked(Duration window) {
    if (window == null || window.isZero()) {
      throw invalid("must be above zero");
    }
    try {
      return Durations.roundUp(window);
    } catch (IllegalArgumentException broken) {
      throw invalid(broken.getMessage());
    }
  }

  private static RuntimeStateException invalid(String rule) {
    return new RuntimeStateException(FailureCode.INVALID_INPUT, "window " + rule);
  }

  /** The length of a bucket. */
  public Duration window() {
    return window;
  }

  /** The bucket of a unix time in milliseconds. */
  public long bucketAt(long unixMillis) {
    return Math.floorDiv(unixMillis, millis);
  }

  /** How long a counter has to live: two windows, at most 36 525 days. */
  public Duration ttl() {
    return ttl;
  }

  /** The time from a unix time in milliseconds to the next bucket: 1 ms to the whole window. */
  public Duration retryAfterAt(long unixMillis) {
    return Duration.ofMillis(millis - Math.floorMod(unixMillis, millis));
  }
}
