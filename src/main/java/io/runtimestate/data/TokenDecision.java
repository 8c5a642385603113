package io.runtimestate.data;

import java.time.Duration;

/** The answer of a token bucket. */
public sealed interface TokenDecision {
  /** Whether the tokens were taken. */
  default boolean isAllowed() {
    return this instanceof Allowed;
  }

  /**
   * The tokens were taken.
   *
   * @param remaining whole tokens left
   */
  record Allowed(long remaining) implements TokenDecision {}

  /**
   * Refused; nothing was taken.
   *
   * @param retryAfter waiting exactly so long succeeds if nobody else takes tokens
   */
  record Rejected(Duration retryAfter) implements TokenDecision {}
}
