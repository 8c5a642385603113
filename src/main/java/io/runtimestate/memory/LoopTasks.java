package io.runtimestate.memory;

import io.netty.channel.EventLoop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tasks of one event loop, run in the order in which they were added.
 *
 * <p>They give way: the loop works off its own tasks for up to a second before it looks at timers
 * and sockets again, so tasks that keep adding tasks would stop both. Only what is scheduled, be it
 * for now, waits for the loop's next turn.
 */
final class LoopTasks {
  private static final long LONGEST_RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final EventLoop loop;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private long turnedAt = System.nanoTime(); // only on the loop

  LoopTasks(EventLoop loop) {
    this.loop = loop;
  }

  /**
   * Adds a task, from any thread.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the loop has ended
   */
  void add(Runnable task) {
    waiting.add(task);
    if (woken.compareAndSet(false, true)) {
      wake();
    } else if (loop.isShutdown()) {
      throw new RejectedExecutionException("the event loop has ended");
    }
  }

  private void wake() {
    if (loop.inEventLoop() && System.nanoTime() - turnedAt > LONGEST_TURN_NANOS) {
      loop.schedule(this::turned, 0, TimeUnit.NANOSECONDS);
    } else {
      loop.execute(this::run);
    }
  }

  private void turned() {
    turnedAt = System.nanoTime();
    run();
  }

  private void run() {
    try {
      runWhileShort();
    } finally {
      woken.set(false);
      if (!waiting.isEmpty() && woken.compareAndSet(false, true)) {
        wake();
      }
    }
  }

  private void runWhileShort() {
    long start = System.nanoTime();
    Runnable task = waiting.poll();
    while (task != null) {
      task.run();
      task = System.nanoTime() - start < LONGEST_RUN_NANOS ? waiting.poll() : null;
    }
  }
}
