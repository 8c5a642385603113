package io.runtimestate.lease;

import io.runtimestate.spi.Callers;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.RejectedExecutionException;

/** The event loop that waiting lines and renewals are confined to, and its alarms. */
final class LeaseLoop {
  private final ContextInternal context;
  private final Alarms alarms = new Alarms(this);

  private LeaseLoop(ContextInternal context) {
    this.context = context;
  }

  /**
   * The caller's own loop: for a store that lives there, every other loop would be a detour. The
   * context is a new one, which belongs to no verticle.
   */
  static LeaseLoop ofCaller(Vertx vertx) {
    return new LeaseLoop(
        ((VertxInternal) vertx)
            .contextBuilder()
            .withEventLoop(Callers.context(vertx).nettyEventLoop())
            .build());
  }

  /** A loop beside the caller's, if there is more than one. */
  static LeaseLoop another(Vertx vertx) {
    return new LeaseLoop(((VertxInternal) vertx).createEventLoopContext());
  }

  Vertx vertx() {
    return context.owner();
  }

  Alarms alarms() {
    return alarms;
  }

  /** Runs a task at once if this is the loop, else soon. */
  void run(Runnable task) {
    try {
      context.emit(ignored -> task.run());
    } catch (RejectedExecutionException vertxIsClosed) {
      // nobody is left who could be told
    }
  }

  /** Runs a task after everything that runs now. */
  void later(Runnable task) {
    try {
      context.runOnContext(ignored -> task.run());
    } catch (RejectedExecutionException vertxIsClosed) {
      // nobody is left who could be told
    }
  }

  long startTimer(long millis, Runnable task) {
    return context.setTimer(millis, id -> task.run());
  }

  void cancelTimer(long id) {
    context.owner().cancelTimer(id);
  }
}
