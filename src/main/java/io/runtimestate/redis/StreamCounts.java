package io.runtimestate.redis;

import java.util.concurrent.atomic.LongAdder;

/** What the scripts on streams tell beside their results; any thread may count and read. */
final class StreamCounts {
  private final LongAdder trimmedUnfinished = new LongAdder();

  void trimmedUnfinished(long entries) {
    trimmedUnfinished.add(entries);
  }

  /** How many entries this runtime trimmed while some group had not finished them. */
  long trimmedUnfinished() {
    return trimmedUnfinished.sum();
  }
}
