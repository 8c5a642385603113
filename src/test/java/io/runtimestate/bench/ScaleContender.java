package io.runtimestate.bench;

import com.sun.management.ThreadMXBean;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ObjIntConsumer;

/**
 * One operation on a store of one size. It works in batches on the owner's loop: prepares so many
 * calls, makes them, undoes them; only the middle is measured. Before the middle the owner's budget
 * of calls in place is made full, so that no call of it takes a turn of the loop.
 */
final class ScaleContender<P, R> implements Contender {
  /** Below the number of calls that the owner runs in place, one after the other. */
  static final int BATCH = 48;

  private static final long PATIENCE_SECONDS = 300;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final ScaleWorld world;
  private final ScaleOperation<P, R> operation;
  private final List<P> inputs;
  private final List<R> results;
  private long number;

  ScaleContender(ScaleWorld world, ScaleOperation<P, R> operation) {
    this.world = world;
    this.operation = operation;
    this.inputs = new ArrayList<>(Collections.nCopies(operation.batch(), null));
    this.results = new ArrayList<>(Collections.nCopies(operation.batch(), null));
  }

  @Override
  public String name() {
    return String.valueOf(world.size());
  }

  @Override
  public Sample round(long millis) throws Exception {
    Turns turns = new Turns(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    world.owner().runOnContext(now -> turns.prepare());
    return turns.done.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private final class Turns {
    private final Promise<Sample> done = Promise.promise();
    private final long end;
    private long operations;
    private long nanos;
    private long cpuNanos;
    private long bytes;

    Turns(long end) {
      this.end = end;
    }

    void prepare() {
      chain(
          i -> operation.input().apply(number + i),
          (input, i) -> inputs.set(i, input),
          this::renewBudget);
    }

    /** The call that has to wait renews the budget, and its answer comes on a stack of its own. */
    private void renewBudget() {
      Future<?> call = world.state().keys().exists("none");
      while (call.isComplete()) {
        call = world.state().keys().exists("none");
      }
      call.onComplete(renewed -> measure());
    }

    private void measure() {
      nanos -= System.nanoTime();
      cpuNanos -= THREADS.getCurrentThreadCpuTime();
      bytes -= allocated();
      chain(
          i -> operation.call().apply(inputs.get(i)),
          (result, i) -> results.set(i, result),
          this::measured);
    }

    private void measured() {
      bytes += allocated();
      cpuNanos += THREADS.getCurrentThreadCpuTime();
      nanos += System.nanoTime();
      operations += operation.batch();
      number += operation.batch();
      chain(
          i -> operation.undo().apply(inputs.get(i), results.get(i)),
          (undone, i) -> {},
          this::next);
    }

    private void next() {
      if (System.nanoTime() < end) {
        world.owner().runOnContext(now -> prepare());
      } else {
        done.complete(new Sample(operations, nanos, cpuNanos, 0, bytes, 0, 0));
      }
    }

    private <T> void chain(
        IntFunction<? extends Future<? extends T>> step, ObjIntConsumer<T> kept, Runnable then) {
      new Chain<>(operation.batch(), step, kept, then, done).run();
    }
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
