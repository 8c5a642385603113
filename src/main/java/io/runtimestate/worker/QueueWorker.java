package io.runtimestate.worker;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Handles the entries of a stream, as one consumer of a group, until it is closed.
 *
 * <p>Delivery is at least once. While a handler runs, its entry is kept from others; a worker that
 * dies loses its entries after {@code minIdle} to the other workers of the group. A failed message
 * is delivered again after a pause, by this or another worker, until it succeeds or becomes a dead
 * letter. Whatever the backend fails with is retried with growing pauses; only {@link #close} ends
 * the work.
 *
 * <p>Handlers run on the context that {@link #start} was called on. A worker started on a
 * verticle's context closes with it, in any case with its runtime.
 */
public final class QueueWorker {
  private final Vertx vertx;
  private final WorkerDoor door;
  private final WorkerRegistry registry;
  private final Function<QueueMessage, Future<?>> handler;
  private final WorkerCounters counters = new WorkerCounters();
  private final AtomicReference<Promise<Void>> closing = new AtomicReference<>();
  private final AtomicReference<Shift> shift = new AtomicReference<>();
  private volatile Handler<Throwable> exceptionHandler = failure -> {};
  private volatile Demand demand = Demand.UNLIMITED;

  /**
   * Makes a worker that is not started.
   *
   * @param door what it works through
   * @param registry where it signs in while it works
   * @param handler called with each message; a failed future, a null one, or a throw is a failure
   * @throws RuntimeStateException INVALID_CONFIGURATION naming the option that breaks its rule
   */
  public QueueWorker(
      Vertx vertx,
      StateBackend door,
      WorkerRegistry registry,
      QueueWorkerOptions options,
      Function<QueueMessage, Future<?>> handler) {
    this.vertx = vertx;
    this.door = new WorkerDoor(door, WorkerSettings.of(options));
    this.registry = registry;
    this.handler = WorkerSettings.required("handler", handler);
  }

  /** Lets the worker take only as many messages as somebody wants. */
  QueueWorker onDemand(Demand wanted) {
    demand = wanted;
    return this;
  }

  /** The stream it works on. */
  public String stream() {
    return settings().stream();
  }

  /** The group it works in. */
  public String group() {
    return settings().group();
  }

  /** What it works with. */
  WorkerSettings settings() {
    return door.settings();
  }

  /**
   * Makes sure that the group exists and begins to work. Fails {@code CROSS_SLOT} where slots
   * matter and the dead-letter stream has another one, and with whatever the backend fails with;
   * then it may be started again. A second start answers as the first.
   */
  public Future<Void> start() {
    WorkContext context = WorkContext.ofCaller(vertx);
    Shift mine = new Shift(this, context);
    Shift working = closing.get() == null ? shift.compareAndExchange(null, mine) : null;
    if (working != null) {
      return context.follow(working.started());
    }
    if (closing.get() != null || !registry.enter(this)) {
      shift.compareAndSet(mine, null);
      return context.failed(closed());
    }
    Runnable forget = context.endingWith(this::close);
    mine.ended().onComplete(ended -> forget.run());
    return context.follow(mine.start());
  }

  static RuntimeStateException closed() {
    return new RuntimeStateException(FailureCode.CLOSED, "queue worker: closed");
  }

  /** The shift could not begin; another may. */
  void startFailed() {
    registry.leave(this);
    shift.set(null);
  }

  /**
   * Ends the work: nothing more is received, entries that no handler has seen are given back at
   * once, running handlers and the record of their end get {@code drainTimeout}. Entries of
   * handlers that do not end stay pending. Idempotent; never fails.
   */
  public Future<Void> close() {
    WorkContext caller = WorkContext.ofCaller(vertx);
    Promise<Void> mine = Promise.promise();
    if (closing.compareAndSet(null, mine)) {
      Shift working = shift.get();
      Future<Void> ended = working == null ? caller.done(null) : working.close();
      ended.onComplete(
          done -> {
            registry.leave(this);
            mine.complete();
          });
    }
    return caller.follow(closing.get().future());
  }

  /** Whether it was started and not closed. */
  public boolean isRunning() {
    Shift working = shift.get();
    return working != null && working.isRunning() && closing.get() == null;
  }

  /** What it does and did. */
  public QueueWorkerStatus status() {
    return counters.status(isRunning());
  }

  /** Hears what goes wrong in the background; called on the context of {@link #start}. */
  public QueueWorker exceptionHandler(Handler<Throwable> failures) {
    exceptionHandler = failures == null ? failure -> {} : failures;
    return this;
  }

  WorkerDoor door() {
    return door;
  }

  WorkerCounters counters() {
    return counters;
  }

  Demand demand() {
    return demand;
  }

  Future<?> handle(QueueMessage message) {
    return handler.apply(message);
  }

  /** There may be demand again. */
  void pump() {
    Shift working = shift.get();
    if (working != null && working.isRunning()) {
      working.pumpSoon();
    }
  }

  /** Runs a task where the work is done: at once if this is there, or if nothing is done yet. */
  void confined(Runnable task) {
    Shift working = shift.get();
    if (working == null) {
      task.run();
    } else {
      working.context().run(task);
    }
  }

  /** A failure in the background: kept, and told to whoever listens. */
  void report(Throwable failure) {
    counters.lastError = ErrorText.of(failure);
    try {
      exceptionHandler.handle(failure);
    } catch (RuntimeException thrown) {
      counters.lastError = ErrorText.of(thrown); // a listener must not end the work
    }
  }
}
