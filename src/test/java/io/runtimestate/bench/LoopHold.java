package io.runtimestate.bench;

import io.vertx.core.Context;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A task that follows itself: the longest time between two is the longest anybody waited. By the
 * clock other processes are in it, so the loop's processor time is told as well.
 */
final class LoopHold {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Context context;
  private volatile boolean running;
  private volatile long longest;
  private volatile long longestWork;
  private long last;
  private long lastWork;

  LoopHold(Context context) {
    this.context = context;
  }

  void start() {
    running = true;
    context.runOnContext(
        now -> {
          last = System.nanoTime();
          lastWork = THREADS.getCurrentThreadCpuTime();
          turn();
        });
  }

  void stop() {
    running = false;
  }

  double millis() {
    return longest / 1e6;
  }

  double workMillis() {
    return longestWork / 1e6;
  }

  private void turn() {
    long now = System.nanoTime();
    long work = THREADS.getCurrentThreadCpuTime();
    longest = Math.max(longest, now - last);
    longestWork = Math.max(longestWork, work - lastWork);
    last = now;
    lastWork = work;
    if (running) {
      context.runOnContext(next -> turn());
    }
  }
}
