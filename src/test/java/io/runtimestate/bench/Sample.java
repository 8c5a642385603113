package io.runtimestate.bench;

/**
 * What one contender did in one round.
 *
 * @param cpuNanos CPU time of this process
 * @param serverNanos CPU time of the server; 0 if there is none
 * @param bytes allocated by all threads of this process
 * @param p50 in nanoseconds; 0 if latency was not recorded, as for the next
 */
record Sample(
    long operations, long nanos, long cpuNanos, long serverNanos, long bytes, long p50, long p99) {
  /** Of a contender that is another process. */
  static Sample ofProcess(long operations, double perSecond) {
    return new Sample(operations, Math.round(operations * 1e9 / perSecond), 0, 0, 0, 0, 0);
  }

  Sample withServer(long cpu) {
    return new Sample(operations, nanos, cpuNanos, cpu, bytes, p50, p99);
  }

  double perSecond() {
    return operations * 1e9 / nanos;
  }

  double cpuNanosPerOperation() {
    return (double) cpuNanos / operations;
  }

  double serverNanosPerOperation() {
    return (double) serverNanos / operations;
  }

  double bytesPerOperation() {
    return (double) bytes / operations;
  }
}
