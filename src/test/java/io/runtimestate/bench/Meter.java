package io.runtimestate.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** What this process has used since {@link #start}. */
final class Meter {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long cpu = SYSTEM.getProcessCpuTime();
  private final long bytes = allocated();
  private final long time = System.nanoTime();

  private Meter() {}

  static Meter start() {
    return new Meter();
  }

  Sample stop(long operations, Latencies latencies) {
    long nanos = System.nanoTime() - time;
    return new Sample(
        operations,
        nanos,
        SYSTEM.getProcessCpuTime() - cpu,
        0,
        Math.max(0, allocated() - bytes),
        latencies.percentile(0.5),
        latencies.percentile(0.99));
  }

  /** Threads that have ended meanwhile are missing; the pools of the contenders keep theirs. */
  private static long allocated() {
    long[] each = THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds());
    return Arrays.stream(each).filter(some -> some > 0).sum();
  }
}
