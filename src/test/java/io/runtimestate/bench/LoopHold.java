package io.runtimestate.bench;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * A task that comes once in every turn of a loop: the longest time between two is the longest that
 * a timer or a socket waited. It is scheduled and not queued, because a loop with a task that
 * queues itself does not turn for a second. By the clock other processes are in it, so the loop's
 * processor time is told as well.
 */
final class LoopHold {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final EventLoop loop;
  private volatile boolean running = true;
  private volatile long longest;
  private volatile long longestWork;
  private long last;
  private long lastWork;

  LoopHold(Context context) {
    this.loop = ((ContextInternal) context).nettyEventLoop();
  }

  void start() {
    loop.execute(
        () -> {
          look();
          next();
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
    longest = Math.max(longest, System.nanoTime() - last);
    longestWork = Math.max(longestWork, THREADS.getCurrentThreadCpuTime() - lastWork);
    look();
    if (running) {
      next();
    }
  }

  private void look() {
    last = System.nanoTime();
    lastWork = THREADS.getCurrentThreadCpuTime();
  }

  private void next() {
    loop.schedule(this::turn, 0, TimeUnit.NANOSECONDS);
  }
}
