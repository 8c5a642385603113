package io.runtimestate.bench;

import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One of the operations in flight: starts one, and when that has ended the next, until the round is
 * over. It takes the outcome in every form there is, so that no contender pays for an adapter.
 *
 * <p>An answer that is there at once is noticed where it was started, instead of on a growing
 * stack; now and then such a slot lets the event loop do other work.
 */
final class Slot implements Completable<Object>, BiConsumer<Object, Throwable>, Handler<Void> {
  private static final int IDLE = 0;
  private static final int STARTING = 1;
  private static final int WAITING = 2;
  private static final int DONE = 3;
  private static final int MOST_IN_A_ROW = 1_024;
  private static final VarHandle STATE = stateHandle();

  private final Round round;
  private final LoadContender contender;
  private final Context caller;
  private final boolean ownTasks;
  private final Latencies latencies;
  private final Consumer<Object> reader;
  private long number;
  private long operations;
  private long begun;
  private int state = IDLE;

  Slot(Round round, LoadContender contender, Context caller, int index) {
    this.round = round;
    this.contender = contender;
    this.caller = caller;
    this.ownTasks = contender.load().starts() == Starts.TASK;
    this.latencies = contender.load().timed() ? new Latencies() : null;
    this.reader = contender.reader();
    this.number = index * 7_919L;
  }

  long operations() {
    return operations;
  }

  void addTo(Latencies all) {
    if (latencies != null) {
      all.addAll(latencies);
    }
  }

  @Override
  public void handle(Void task) {
    run();
  }

  @Override
  public void complete(Object result, Throwable failure) {
    accept(result, failure);
  }

  @Override
  public void accept(Object result, Throwable failure) {
    if (failure != null) {
      round.failed(failure);
    } else if (reader != null) {
      read(result);
    }
    operations++;
    if (latencies != null) {
      latencies.record(System.nanoTime() - begun);
    }
    if (done() == WAITING) {
      next();
    }
  }

  private void read(Object result) {
    try {
      reader.accept(result);
    } catch (RuntimeException unexpected) {
      round.failed(unexpected);
    }
  }

  private void next() {
    if (ownTasks) {
      caller.runOnContext(this);
    } else {
      run();
    }
  }

  private void run() {
    for (int i = 0; i < MOST_IN_A_ROW; i++) {
      if (round.isOver()) {
        round.ended();
        return;
      }
      start();
      if (isWaiting()) {
        return;
      }
      if (ownTasks) {
        break;
      }
    }
    caller.runOnContext(this);
  }

  private void start() {
    STATE.setOpaque(this, STARTING);
    if (latencies != null) {
      begun = System.nanoTime();
    }
    contender.work().start(number++, this);
  }

  /** Whether the answer has not come yet; from here on its handler goes on. */
  private boolean isWaiting() {
    if (!contender.confined()) {
      return STATE.compareAndSet(this, STARTING, WAITING);
    }
    boolean waiting = state == STARTING;
    state = waiting ? WAITING : state;
    return waiting;
  }

  private int done() {
    if (!contender.confined()) {
      return (int) STATE.getAndSet(this, DONE);
    }
    int before = state;
    state = DONE;
    return before;
  }

  private static VarHandle stateHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(Slot.class, "state", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
