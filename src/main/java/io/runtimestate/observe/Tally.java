package io.runtimestate.observe;

import java.util.concurrent.atomic.LongAdder;

/** Calls of one operation with one outcome; any thread may count. */
final class Tally {
  private final EventCount calls = new EventCount();
  private final LongAdder nanos = new LongAdder();

  void count() {
    calls.increment();
  }

  void measured(long duration) {
    nanos.add(duration);
  }

  long calls() {
    return calls.sum();
  }

  /** How long those of the calls took that were measured. */
  long nanos() {
    return nanos.sum();
  }
}
