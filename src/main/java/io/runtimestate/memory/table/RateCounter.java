package io.runtimestate.memory.table;

import io.runtimestate.data.Utf8;

/** How much one key was charged in one bucket. */
public final class RateCounter extends ControlEntry {
  /** Estimated bytes of a counter beside its name. */
  public static final int OVERHEAD = 128;

  private long count;

  RateCounter(ControlTable<RateCounter> home, String name) {
    super(home, name, bytesOf(name));
  }

  static long bytesOf(String name) {
    return OVERHEAD + (long) Utf8.length(name);
  }

  long count() {
    return count;
  }

  void add(long cost) {
    count += cost;
  }

  void subtract(long cost) {
    count = Math.max(0, count - cost);
  }
}
