package io.runtimestate.spi;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;

/**
 * Futures of the caller's context. A future without a context runs its handlers on whatever thread
 * adds or completes them, so nothing in this library makes one otherwise.
 */
public final class Callers {
  private Callers() {}

  /** The context of the calling thread; a thread without one is given an event-loop context. */
  public static ContextInternal context(Vertx vertx) {
    return ((VertxInternal) vertx).getOrCreateContext();
  }

  /** A promise whose future completes on the caller's context. */
  public static <T> Promise<T> promise(Vertx vertx) {
    return context(vertx).promise();
  }

  /** A failed future of the caller's context. */
  public static <T> Future<T> failed(Vertx vertx, Throwable failure) {
    return context(vertx).failedFuture(failure);
  }

  /** A succeeded future of the caller's context. */
  public static <T> Future<T> succeeded(Vertx vertx, T result) {
    return context(vertx).succeededFuture(result);
  }
}
