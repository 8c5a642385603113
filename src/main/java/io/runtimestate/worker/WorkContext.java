package io.runtimestate.worker;

import io.runtimestate.spi.Callers;
import io.vertx.core.Closeable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.function.Supplier;

/** The context of whoever called, as a worker uses it: tasks, timers, futures. */
final class WorkContext {
  private final ContextInternal context;

  private WorkContext(ContextInternal context) {
    this.context = context;
  }

  static WorkContext ofCaller(Vertx vertx) {
    return new WorkContext(Callers.context(vertx));
  }

  <T> Promise<T> promise() {
    return context.promise();
  }

  /** A future of this context that ends as the other does. */
  <T> Future<T> follow(Future<T> other) {
    Promise<T> promise = context.promise();
    other.onComplete(promise);
    return promise.future();
  }

  <T> Future<T> done(T result) {
    return context.succeededFuture(result);
  }

  <T> Future<T> failed(Throwable failure) {
    return context.failedFuture(failure);
  }

  /** Runs at once when called here, else soon. */
  void run(Runnable task) {
    context.emit(now -> task.run());
  }

  /** Runs in a task of its own, never inside the call. */
  void soon(Runnable task) {
    context.runOnContext(now -> task.run());
  }

  /** Runs later; the answer cancels it. */
  Runnable after(long millis, Runnable task) {
    long timer = context.setTimer(millis, due -> task.run());
    return () -> context.owner().cancelTimer(timer);
  }

  /** Runs again and again; the answer ends it. */
  Runnable every(long millis, Runnable task) {
    long timer = context.setPeriodic(millis, due -> task.run());
    return () -> context.owner().cancelTimer(timer);
  }

  /** Lets something end with the deployment or Vertx that the context belongs to, unless undone. */
  Runnable endingWith(Supplier<Future<Void>> end) {
    Closeable hook = done -> end.get().onComplete(done);
    context.addCloseHook(hook);
    return () -> context.removeCloseHook(hook);
  }
}
