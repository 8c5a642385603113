package io.runtimestate.bench;

/**
 * What one contender did in one round.
 *
 * @param cpuNanos CPU time of this process; a server of its own is not in it
 * @param bytes allocated by all threads of this process
 * @param p50 in nanoseconds; 0 if latency was not recorded, as for the next
 */
record Sample(long operations, long nanos, long cpuNanos, long bytes, long p50, long p99) {
  /** Of a contender that is another process. */
  static Sample ofProcess(double perSecond) {
    return new Sample(Math.round(perSecond), 1_000_000_000L, 0, 0, 0, 0);
  }

  double perSecond() {
    return operations * 1e9 / nanos;
  }

  double cpuNanosPerOperation() {
    return (double) cpuNanos / operations;
  }

  double bytesPerOperation() {
    return (double) bytes / operations;
  }
}
