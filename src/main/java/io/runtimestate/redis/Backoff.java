package io.runtimestate.redis;

import java.util.concurrent.ThreadLocalRandom;

/** Pauses between attempts: 50 ms doubling to 2 s, each times a random 0.5 to 1. */
final class Backoff {
  static final long FIRST_MILLIS = 50;
  static final long LONGEST_MILLIS = 2_000;

  private long next = FIRST_MILLIS;

  long nextMillis() {
    long pause = next;
    next = Math.min(2 * next, LONGEST_MILLIS);
    return Math.max(1, Math.round(pause * ThreadLocalRandom.current().nextDouble(0.5, 1)));
  }

  void reset() {
    next = FIRST_MILLIS;
  }
}
