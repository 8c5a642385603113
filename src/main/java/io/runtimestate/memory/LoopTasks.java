package io.runtimestate.memory;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tasks of one event loop, run in the order in which they were added.
 *
 * <p>They give way: the loop works off its own tasks for up to a second before it looks at timers
 * and sockets again, so tasks that keep adding tasks would stop both. Only what is scheduled, be it
 * for now, waits for the loop's next turn.
 *
 * <p>Tasks of others may do just that and keep the turn from ending. Giving way then helps nobody,
 * so after a while these here go on, a little at a time.
 */
final class LoopTasks {
  private static final long LONGEST_RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int LOOK_AT_CLOCK_EVERY = 4; // it costs as much as a short task
  private static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How many watch on a loop: they must not take each other for tasks of others. */
  private static final ThreadLocal<int[]> WATCHES = ThreadLocal.withInitial(() -> new int[1]);

  private final EventLoop loop;
  private final Runnable afterRun;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  // ---- only on the loop ----
  private long turnedAt = System.nanoTime();
  private long restsSince;
  private Future<?> nextTurn; // that a rest waits for
  private boolean watching;

  /**
   * No task has been added yet.
   *
   * @param afterRun what to do whenever some tasks have run, before the loop does anything else
   */
  LoopTasks(EventLoop loop, Runnable afterRun) {
    this.loop = loop;
    this.afterRun = afterRun;
  }

  /**
   * Adds a task, from any thread.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the loop has ended
   */
  void add(Runnable task) {
    waiting.add(task);
    if (!woken.get() && woken.compareAndSet(false, true)) { // looking first leaves it shared
      wake();
    } else if (loop.isShutdown()) {
      throw new RejectedExecutionException("the event loop has ended");
    }
  }

  private void wake() {
    if (loop.inEventLoop() && System.nanoTime() - turnedAt > LONGEST_TURN_NANOS) {
      rest();
    } else {
      loop.execute(this::run);
    }
  }

  private void rest() {
    restsSince = System.nanoTime();
    nextTurn = loop.schedule(this::turned, 0, TimeUnit.NANOSECONDS);
    if (!watching) {
      watching = true;
      WATCHES.get()[0]++;
      loop.execute(this::watch);
    }
  }

  /** Goes round with the tasks of others, as long as these keep the turn from ending. */
  private void watch() {
    if (nextTurn != null && othersWait()) {
      if (System.nanoTime() - restsSince < LONGEST_REST_NANOS) {
        loop.execute(this::watch);
        return;
      }
      nextTurn.cancel(false);
      nextTurn = null;
      stopWatching();
      run();
    } else {
      stopWatching();
    }
  }

  private void stopWatching() {
    watching = false;
    WATCHES.get()[0]--;
  }

  private boolean othersWait() {
    return loop instanceof SingleThreadEventLoop single
        && single.pendingTasks() >= WATCHES.get()[0];
  }

  private void turned() {
    nextTurn = null;
    turnedAt = System.nanoTime();
    run();
  }

  private void run() {
    try {
      runWhileShort();
    } finally {
      afterRun.run();
      woken.set(false);
      if (!waiting.isEmpty() && woken.compareAndSet(false, true)) {
        wake();
      }
    }
  }

  private void runWhileShort() {
    long start = System.nanoTime();
    int ran = 0;
    for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
      task.run();
      if (++ran % LOOK_AT_CLOCK_EVERY == 0 && System.nanoTime() - start > LONGEST_RUN_NANOS) {
        return;
      }
    }
  }
}
