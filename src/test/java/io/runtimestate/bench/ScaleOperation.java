package io.runtimestate.bench;

import io.vertx.core.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * An operation whose cost is looked at while the store grows.
 *
 * @param promise how its cost may grow
 * @param input prepares one call; not measured, and may call the store
 * @param call what is measured
 * @param undo brings the store back to what it was; not measured
 * @param batch how many calls are prepared, measured and undone together
 */
record ScaleOperation<P, R>(
    String name,
    String promise,
    LongFunction<Future<P>> input,
    Function<P, Future<R>> call,
    BiFunction<P, R, Future<?>> undo,
    int batch) {

  private static final Future<Void> NOTHING = Future.succeededFuture();

  /** A call that changes nothing, or nothing that matters, and needs only some text or number. */
  static <P, R> ScaleOperation<P, R> of(
      String name, String promise, LongFunction<P> input, Function<P, Future<R>> call) {
    return prepared(name, promise, n -> Future.succeededFuture(input.apply(n)), call);
  }

  /** A call that works on what another call makes. */
  static <P, R> ScaleOperation<P, R> prepared(
      String name, String promise, LongFunction<Future<P>> input, Function<P, Future<R>> call) {
    return new ScaleOperation<>(
        name, promise, input, call, (was, is) -> NOTHING, ScaleContender.BATCH);
  }

  ScaleOperation<P, R> undo(BiFunction<P, R, Future<?>> other) {
    return new ScaleOperation<>(name, promise, input, call, other, batch);
  }

  ScaleOperation<P, R> oneAtATime() {
    return new ScaleOperation<>(name, promise, input, call, undo, 1);
  }
}
