package io.runtimestate.support;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting in tests: always bounded, never by a fixed sleep. */
public final class Await {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Await() {}

  /** The future's result; its failure is thrown as it is. */
  public static <T> T get(Future<T> future) {
    return within(LIMIT, future);
  }

  /** As {@link #get}, with a limit of one's own. */
  public static <T> T within(Duration limit, Future<T> future) {
    finish(limit, future);
    if (future.failed()) {
      throw Await.<RuntimeException>unchecked(future.cause());
    }
    return future.result();
  }

  /** What the future failed with; a success is an assertion error. */
  public static Throwable failure(Future<?> future) {
    return failure(LIMIT, future);
  }

  /** As {@link #failure(Future)}, with a limit of one's own. */
  public static Throwable failure(Duration limit, Future<?> future) {
    finish(limit, future);
    if (future.succeeded()) {
      throw new AssertionError("expected a failure, got " + future.result());
    }
    return future.cause();
  }

  /** Polls until the condition holds. */
  public static void until(BooleanSupplier condition, Duration limit, String what) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + limit + ": " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** As {@link #until(BooleanSupplier, Duration, String)} with the usual limit. */
  public static void until(BooleanSupplier condition, String what) {
    until(condition, LIMIT, what);
  }

  private static void finish(Duration limit, Future<?> future) {
    if (Context.isOnVertxThread() && !future.isComplete()) {
      throw new AssertionError("waiting on a Vert.x thread could wait for itself");
    }
    try {
      var done = future.toCompletionStage().toCompletableFuture();
      done.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no result within " + limit, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    } catch (ExecutionException e) {
      // The caller looks at the future itself: its cause is not wrapped.
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable cause) throws E {
    throw (E) cause;
  }
}
