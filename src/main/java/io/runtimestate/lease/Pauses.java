package io.runtimestate.lease;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next try: doubling up to a bound, each time a random half to whole.
 */
final class Pauses {
  private static final int MOST_DOUBLINGS = 20;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long firstNanos;
  private final long longestNanos;
  private int tries;

  Pauses(long firstMillis, long longestMillis) {
    this.firstNanos = firstMillis * NANOS_PER_MILLI;
    this.longestNanos = longestMillis * NANOS_PER_MILLI;
  }

  long nextNanos() {
    long whole = Math.min(longestNanos, firstNanos << Math.min(tries++, MOST_DOUBLINGS));
    return whole / 2 + ThreadLocalRandom.current().nextLong(whole / 2 + 1);
  }

  void reset() {
    tries = 0;
  }
}
