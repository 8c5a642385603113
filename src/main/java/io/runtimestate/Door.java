package io.runtimestate;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * What the facades stand on: builds an operation, passes it on, and turns a throw into a future.
 */
record Door(Vertx vertx, StateBackend backend) {

  <R> Future<R> call(Supplier<? extends Operation<R>> operation) {
    try {
      return backend.execute(operation.get());
    } catch (RuntimeException failure) {
      return Callers.failed(vertx, known(failure));
    }
  }

  /** An argument that no operation holds, and that must be there all the same. */
  static <T> T required(String what, T value) {
    if (value == null) {
      throw new RuntimeStateException(FailureCode.INVALID_INPUT, what + " is required");
    }
    return value;
  }

  /** The same for a call that is more than one operation. */
  <R> Future<R> run(Supplier<Future<R>> call) {
    try {
      return call.get();
    } catch (RuntimeException failure) {
      return Callers.failed(vertx, known(failure));
    }
  }

  /** A defect must not look like bad input. */
  static RuntimeStateException known(RuntimeException failure) {
    return failure instanceof RuntimeStateException known
        ? known
        : new RuntimeStateException(FailureCode.INTERNAL, "defect in a call", false, failure);
  }
}
