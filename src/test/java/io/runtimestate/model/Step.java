package io.runtimestate.model;

import io.runtimestate.operation.Operation;
import java.time.Duration;
import java.util.function.Function;

/**
 * One step of a history. It knows its names only without the space they are in, so that the same
 * history can run again where nothing has happened yet.
 *
 * @param operation makes the call in a space, a text that every name begins with
 * @param pause how long to wait after the call; zero almost always
 */
record Step(Function<String, Operation<?>> operation, Duration pause) {

  static Step of(Function<String, Operation<?>> operation) {
    return new Step(operation, Duration.ZERO);
  }

  /** A call that gives something a short life, and the end of that life. */
  static Step expiring(Function<String, Operation<?>> operation) {
    return new Step(operation, Vocabulary.BEYOND_SHORT);
  }

  @Override
  public String toString() {
    String call = Script.line(operation.apply(""));
    return pause.isZero() ? call : call + ", then wait " + pause.toMillis() + " ms";
  }
}
