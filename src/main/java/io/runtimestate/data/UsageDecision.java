package io.runtimestate.data;

import java.time.Duration;

/** The answer of a usage check. */
public sealed interface UsageDecision {
  /** Whether the event was admitted, now or earlier. */
  default boolean isAllowed() {
    return this instanceof Allowed;
  }

  /** The event counts in every window. */
  record Allowed() implements UsageDecision {}

  /**
   * Refused; the event counts in no further window.
   *
   * @param ruleIndex position of the first rule without room, from 0
   * @param limit of that rule
   * @param retryAfter when that rule alone would admit the event, at least 1 ms
   */
  record Rejected(int ruleIndex, long limit, Duration retryAfter) implements UsageDecision {}
}
