package io.runtimestate.lease;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Guarded;
import io.runtimestate.data.LossReason;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Function;

/** Work that runs while something is held, which is released whatever happens. */
final class Guard {
  private Guard() {}

  /**
   * Runs the work on the caller's context, if there is what it needs.
   *
   * @param <H> what is held
   */
  static <H, T> Future<Guarded<T>> run(
      String call,
      Vertx vertx,
      Optional<H> held,
      Function<H, Upkeep> upkeepOf,
      Function<H, Future<T>> work) {
    return held.isEmpty()
        ? Callers.succeeded(vertx, new Guarded.NotAcquired<>())
        : run(call, vertx, held.get(), upkeepOf, work);
  }

  private static <H, T> Future<Guarded<T>> run(
      String call, Vertx vertx, H held, Function<H, Upkeep> upkeepOf, Function<H, Future<T>> work) {
    Promise<Guarded<T>> result = Callers.promise(vertx);
    Upkeep upkeep = upkeepOf.apply(held);
    upkeep.onLost(Callers.context(vertx), reason -> result.tryFail(lost(call, reason)));
    done(call, vertx, held, work)
        .onComplete((value, failure) -> release(vertx, held, upkeepOf, result, value, failure));
    return result.future();
  }

  /** A failed release does not change the result. What is held stays reachable until here. */
  private static <H, T> void release(
      Vertx vertx,
      H held,
      Function<H, Upkeep> upkeepOf,
      Promise<Guarded<T>> result,
      T value,
      Throwable failure) {
    Promise<Boolean> released = Callers.promise(vertx);
    released
        .future()
        .onComplete(
            ignored -> {
              if (failure == null) {
                result.tryComplete(new Guarded.Ran<>(value));
              } else {
                result.tryFail(failure);
              }
            });
    upkeepOf.apply(held).release(released, true);
  }

  private static <H, T> Future<T> done(
      String call, Vertx vertx, H held, Function<H, Future<T>> work) {
    try {
      Future<T> done = work.apply(held);
      return done == null ? Callers.failed(vertx, noFuture(call)) : done;
    } catch (Throwable thrown) {
      return Callers.failed(vertx, thrown);
    }
  }

  private static RuntimeStateException noFuture(String call) {
    return new RuntimeStateException(FailureCode.INTERNAL, call + ": the work gave no future");
  }

  private static RuntimeStateException lost(String call, LossReason reason) {
    return reason == LossReason.RUNTIME_CLOSED
        ? new RuntimeStateException(
            FailureCode.CLOSED, call + ": closed while the work ran", true, null)
        : new RuntimeStateException(
            FailureCode.LEASE_LOST, call + ": lost while the work ran: " + reason, true, null);
  }
}
