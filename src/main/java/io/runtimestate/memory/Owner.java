package io.runtimestate.memory;

import io.netty.channel.EventLoop;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.memory.table.Entry;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.OperationTable;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.PromiseInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Confines one state to one event loop: the loop of the context that opened it.
 *
 * <p>A call made on that loop runs in place and is answered at once while the in-place budget
 * lasts. The budget is not a nicety: a future that is already complete runs its handler on the same
 * stack, so a handler that starts the next call would recurse without end. Beyond it a call still
 * runs in place, and only its answer becomes a task of the loop. When many answers wait, the loop
 * is to get on with them: then a call becomes a task as a whole, and so do those behind it, to keep
 * their order. A call from elsewhere always does. There is a bound on how many may wait; each of
 * these tasks begins on an empty stack and so renews the budget.
 */
final class Owner {
  private static final int IN_PLACE_BUDGET = 64;
  private static final int MOST_ANSWERS_WAITING = 4_096;
  private static final long SWEEP_PAUSE_MILLIS = 5;
  private static final long LONGEST_TIMER_MILLIS = 3_600_000;
  private static final long NO_TIMER = -1;

  // ---- fixed, any thread ----
  private final VertxInternal vertx;
  private final ContextInternal context;
  private final EventLoop loop;
  private final LoopTasks tasks;
  private final Answers answers = new Answers(this::left);
  private final Store store;
  private final int maxPending;
  private final OperationTable<Function<Operation<?>, Object>> handlers = new OperationTable<>();
  private final List<Runnable> closers = new ArrayList<>();
  // ---- any thread ----
  private final AtomicInteger pending = new AtomicInteger();
  private volatile boolean closed;
  // ---- owner's loop only ----
  private int budget = IN_PLACE_BUDGET;
  private int waitingHere; // calls of this loop that have not run
  private long timer = NO_TIMER;
  private long armedFor = Entry.NEVER;
  private boolean sweeping; // the next batch is queued

  Owner(VertxInternal vertx, EventLoop loop, Store store, int maxPending) {
    this.vertx = vertx;
    this.context = vertx.contextBuilder().withEventLoop(loop).build();
    this.loop = loop;
    this.tasks = new LoopTasks(loop, answers::send);
    this.store = store;
    this.maxPending = maxPending;
  }

  /** Registers the handler of an operation whose answer is there when it returns. */
  <R, O extends Operation<R>> void on(Class<O> type, Function<? super O, ? extends R> handler) {
    put(type, handler);
  }

  /** Registers the handler of an operation whose answer may come later. */
  <R, O extends Operation<R>> void onLater(Class<O> type, Function<? super O, Later<R>> handler) {
    put(type, handler);
  }

  /** Registers the handler of an operation that answers at once or with a {@link Later}. */
  <R, O extends Operation<R>> void onEither(Class<O> type, Function<? super O, ?> handler) {
    put(type, handler);
  }

  /** Registers the handler of an operation that takes steps, as a chunked one does. */
  <R, O extends Operation<R>> void onChunked(
      Class<O> type, Function<? super O, ? extends Steps<R>> handler) {
    put(type, operation -> handler.apply(operation).start(this, operation));
  }

  /** Registers what must happen at close, on the loop: failing whoever waits. */
  void onClose(Runnable closer) {
    closers.add(closer);
  }

  List<String> missingHandlers() {
    return handlers.missing();
  }

  ContextInternal context() {
    return context;
  }

  int pending() {
    return pending.get();
  }

  <R> Future<R> execute(Operation<R> operation) {
    ContextInternal caller = vertx.getOrCreateContext();
    if (!loop.inEventLoop()) {
      return queued(operation, caller, false);
    }
    if (budget > 0 && waitingHere == 0 && !closed) {
      budget--;
      return inPlace(operation, caller);
    }
    boolean run = waitingHere == 0 && pending.get() < MOST_ANSWERS_WAITING;
    return run ? answeredLater(operation, caller) : queued(operation, caller, true);
  }

  /** Runs a task on the owner's loop, after everything queued so far. */
  void later(Runnable task) {
    tasks.add(task);
  }

  /** Runs a task on the owner's loop after the calls made before; not at all once it ended. */
  void afterCalls(Runnable task) {
    try {
      later(task);
    } catch (RejectedExecutionException ended) {
      // the event loop ended with its Vertx, and with it whatever waited
    }
  }

  /**
   * Runs a part of an operation that began earlier: it has an instant and a deadline of its own.
   */
  void inStep(Runnable part) {
    store.clock.step();
    part.run();
    arm();
  }

  /** Fails everything that waits and stops the timer; calls queued before are still answered. */
  Future<Void> close() {
    closed = true;
    PromiseInternal<Void> done = vertx.<Void>promise();
    tasks.add(
        () -> {
          vertx.cancelTimer(timer);
          answers.send();
          closers.forEach(Runnable::run);
          closers.clear();
          done.tryComplete();
        });
    return done.future();
  }

  private <R> Future<R> inPlace(Operation<R> operation, ContextInternal caller) {
    try {
      Object answer = run(operation);
      return answer instanceof Later<?>
          ? Owner.<R>later(answer).forCaller(caller)
          : caller.succeededFuture(Owner.<R>result(answer));
    } catch (RuntimeException failure) {
      return caller.failedFuture(failure(operation, failure));
    }
  }

  private <R> Future<R> queued(Operation<R> operation, ContextInternal caller, boolean here) {
    RuntimeStateException refusal = enter();
    if (refusal != null) {
      return caller.failedFuture(failure(operation, refusal));
    }
    waitingHere += here ? 1 : 0;
    return soon(new Call<>(operation, caller, here));
  }

  private <R> Future<R> answeredLater(Operation<R> operation, ContextInternal caller) {
    RuntimeStateException refusal = enter();
    if (refusal != null) {
      return caller.failedFuture(failure(operation, refusal));
    }
    Call<R> call = new Call<>(operation, caller, true);
    call.runOperation();
    return soon(call);
  }

  /** Takes a place among those that wait; if there is none, why. */
  private RuntimeStateException enter() {
    if (closed) {
      return closed();
    }
    if (pending.getAndIncrement() >= maxPending) {
      pending.decrementAndGet();
      return overloaded();
    }
    return null;
  }

  /** So many do not wait any more; for many at once, since callers take places meanwhile. */
  private void left(int calls) {
    pending.addAndGet(-calls);
  }

  private <R> Future<R> soon(Call<R> call) {
    try {
      tasks.add(call);
    } catch (RejectedExecutionException stopped) { // the event loop ended with its Vertx
      left(1);
      return call.caller.failedFuture(failure(call.operation, closed()));
    }
    return call.promise.future();
  }

  private final class Call<R> extends Answers.Answer implements Runnable {
    private final Operation<R> operation;
    private final ContextInternal caller;
    private final PromiseInternal<R> promise;
    private final boolean fromHere;
    private boolean ran;
    private Object answer;
    private RuntimeException failure;

    Call(Operation<R> operation, ContextInternal caller, boolean fromHere) {
      this.fromHere = fromHere;
      this.operation = operation;
      this.caller = caller;
      this.promise = caller.promise();
    }

    @Override
    public void run() {
      budget = IN_PLACE_BUDGET;
      if (!ran) {
        waitingHere -= fromHere ? 1 : 0;
        runOperation();
      }
      if (fromHere) {
        left(1);
        tell();
      } else {
        answers.add(caller.nettyEventLoop(), this);
      }
    }

    /** Changes the state; tells nobody yet. */
    void runOperation() {
      ran = true;
      try {
        answer = Owner.this.run(operation);
        if (answer instanceof Later<?>) {
          Owner.<R>later(answer).forCaller(caller, promise);
        }
      } catch (RuntimeException thrown) {
        failure = thrown;
      }
    }

    @Override
    void tell() {
      if (failure != null) {
        promise.tryFail(failure(operation, failure));
      } else if (!(answer instanceof Later<?>)) {
        promise.tryComplete(Owner.<R>result(answer));
      }
    }

    @Override
    void end() {
      promise.tryFail(failure(operation, closed()));
    }
  }

  private Object run(Operation<?> operation) {
    store.clock.step();
    Object answer = handlers.of(operation).apply(operation);
    arm();
    return answer;
  }

  /** Arms the one timer for the earliest deadline, unless it is armed for that or earlier. */
  private void arm() {
    long earliest = store.expiry.notBefore();
    if (earliest < armedFor && !sweeping) {
      vertx.cancelTimer(timer);
      armedFor = earliest;
      timer = context.setTimer(timerDelay(earliest), id -> sweep());
    }
  }

  private long timerDelay(long deadline) {
    long millis = store.clock.millisUntil(deadline);
    return Math.max(SWEEP_PAUSE_MILLIS, Math.min(millis, LONGEST_TIMER_MILLIS));
  }

  /** Drops what has expired, a batch per task so that a million of them never hold the loop. */
  void sweep() {
    if (!sweeping) {
      sweepOn();
    }
  }

  private void sweepOn() {
    vertx.cancelTimer(timer);
    timer = NO_TIMER;
    armedFor = Entry.NEVER;
    sweeping = !closed && store.sweep();
    if (sweeping) {
      later(this::sweepOn);
    } else if (!closed) {
      arm();
    }
  }

  @SuppressWarnings("unchecked") // the table holds O -> R under the class of O
  private <R, O extends Operation<R>> void put(Class<O> type, Function<? super O, ?> handler) {
    handlers.put(type, (Function<Operation<?>, Object>) handler);
  }

  @SuppressWarnings("unchecked") // the handler of an operation answers with its result type
  private static <R> R result(Object answer) {
    return (R) answer;
  }

  @SuppressWarnings("unchecked") // the handler of an operation answers with its result type
  private static <R> Later<R> later(Object answer) {
    return (Later<R>) answer;
  }

  private static RuntimeStateException failure(Operation<?> operation, RuntimeException failure) {
    return failure(operation, failure, false);
  }

  /** Puts the name of the operation before the message, and makes any other throw a defect. */
  static RuntimeStateException failure(
      Operation<?> operation, RuntimeException failure, boolean applied) {
    return failure instanceof RuntimeStateException known
        ? new RuntimeStateException(
            known.code(), operation.name() + ": " + known.getMessage(), applied, null)
        : new RuntimeStateException(
            FailureCode.INTERNAL,
            operation.name() + ": defect in the memory backend",
            applied,
            failure);
  }

  private RuntimeStateException overloaded() {
    return new RuntimeStateException(
        FailureCode.OVERLOADED,
        "memory.maxPendingOperations is " + maxPending + " and all are in use; raise it");
  }

  static RuntimeStateException closed() {
    return new RuntimeStateException(FailureCode.CLOSED, "the runtime is closed");
  }
}
