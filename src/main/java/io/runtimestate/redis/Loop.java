package io.runtimestate.redis;

import io.vertx.core.Future;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The event loop a lane lives on. Its context belongs to the library, not to the verticle that
 * happened to call first, so nothing of a lane ends with somebody else's deployment.
 */
final class Loop {
  private final ContextInternal context;

  private Loop(ContextInternal context) {
    this.context = context;
  }

  /** The event loop of a context. */
  static Loop of(ContextInternal caller) {
    return new Loop(library(caller));
  }

  private static ContextInternal library(ContextInternal caller) {
    VertxInternal vertx = caller.owner();
    return vertx
        .contextBuilder()
        .withEventLoop(caller.nettyEventLoop())
        .withCloseFuture(new CloseFuture())
        .build();
  }

  boolean isHere() {
    return context.nettyEventLoop().inEventLoop();
  }

  /** Runs at once when called on the loop, else soon, in the order of the calls. */
  void run(Runnable task) {
    context.emit(now -> task.run());
  }

  /** Runs in a task of its own, never inside the call. */
  void soon(Runnable task) {
    context.runOnContext(now -> task.run());
  }

  /** Runs later; the answer cancels it. */
  Runnable later(long millis, Runnable task) {
    ScheduledFuture<?> timer =
        context.nettyEventLoop().schedule(() -> run(task), millis, TimeUnit.MILLISECONDS);
    return () -> timer.cancel(false);
  }

  /**
   * Runs a task on a context of its own on this loop. Clients leave a close hook on the context
   * that makes them and some never take it back; here it goes away with the context.
   */
  void runApart(Runnable task) {
    library(context).emit(now -> task.run());
  }

  /** The answer of somebody who may take any time and any thread, on this loop. */
  <T> Future<T> asked(Supplier<? extends CompletionStage<T>> other) {
    try {
      return Future.fromCompletionStage(other.get(), context);
    } catch (RuntimeException failure) {
      return context.failedFuture(failure);
    }
  }

  /** Known already. */
  <T> Future<T> known(T result) {
    return context.succeededFuture(result);
  }

  /** Nothing to wait for. */
  Future<Void> done() {
    return context.succeededFuture();
  }
}
