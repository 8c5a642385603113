package io.runtimestate.model;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyTtl;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.TokenDecision;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.util.Objects;

/**
 * How a call ended.
 *
 * @param failure null for a success
 */
record Outcome(Object result, FailureCode failure, boolean mayHaveBeenApplied) {
  /**
   * Remaining lives and waits differ by the time between two calls, which a busy machine can
   * stretch.
   */
  private static final Duration TOLERANCE = Duration.ofMinutes(4);

  static Outcome of(AsyncResult<?> done) {
    if (done.succeeded()) {
      return new Outcome(done.result(), null, false);
    }
    return done.cause() instanceof RuntimeStateException known
        ? new Outcome(null, known.code(), known.mayHaveBeenApplied())
        : new Outcome(done.cause().toString(), FailureCode.INTERNAL, false);
  }

  boolean agreesWith(Outcome other) {
    return failure == other.failure
        && mayHaveBeenApplied == other.mayHaveBeenApplied
        && sameResult(result, other.result);
  }

  private static boolean sameResult(Object mine, Object theirs) {
    if (mine instanceof KeyTtl.Remaining left && theirs instanceof KeyTtl.Remaining right) {
      return left.ttl().minus(right.ttl()).abs().compareTo(TOLERANCE) < 0;
    }
    if (mine instanceof TokenDecision.Rejected left
        && theirs instanceof TokenDecision.Rejected right) {
      return left.retryAfter().minus(right.retryAfter()).abs().compareTo(TOLERANCE) < 0;
    }
    return Objects.equals(mine, theirs);
  }

  @Override
  public String toString() {
    return failure == null ? Script.text(result) : failure.toString();
  }
}
