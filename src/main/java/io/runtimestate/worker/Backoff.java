package io.runtimestate.worker;

/** Pauses between attempts: 100 ms doubling to 5 s. */
final class Backoff {
  private static final long FIRST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 5_000;

  private long next = FIRST_MILLIS;

  long nextMillis() {
    long pause = next;
    next = Math.min(2 * next, LONGEST_MILLIS);
    return pause;
  }

  void reset() {
    next = FIRST_MILLIS;
  }
}
