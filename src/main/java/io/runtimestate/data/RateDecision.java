package io.runtimestate.data;

import java.time.Duration;
import java.util.Optional;

/** The answer of a rate check over fixed buckets. */
public sealed interface RateDecision {
  /** Whether the call was admitted. */
  default boolean isAllowed() {
    return this instanceof Allowed;
  }

  /**
   * Admitted, and charged to every limited scope.
   *
   * @param remaining what is left in the tightest scope; 0 if no scope is limited
   * @param limit of the tightest scope, the first of equals; 0 if no scope is limited
   * @param resetAfter time until the bucket ends; absent if no window was given
   */
  record Allowed(long remaining, long limit, Optional<Duration> resetAfter)
      implements RateDecision {}

  /**
   * Refused; nothing was charged to any scope.
   *
   * @param scope name of the first scope without room
   * @param limit of that scope
   * @param retryAfter time until the bucket ends; absent if no window was given
   */
  record Rejected(String scope, long limit, Optional<Duration> retryAfter) implements RateDecision {
    @Override
    public String toString() {
      return "Rejected[limit=" + limit + ", retryAfter=" + retryAfter + "]";
    }
  }
}
