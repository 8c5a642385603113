package io.runtimestate.data;

import java.time.Duration;
import java.util.Optional;

/**
 * What a usage check would find in one window.
 *
 * @param used events that count now
 * @param remaining room left; 0 if there are more events than a lowered limit admits
 * @param counted whether the event asked about counts already
 * @param retryAfter when this rule would admit the event; absent if it would now
 */
public record UsagePeek(long used, long remaining, boolean counted, Optional<Duration> retryAfter) {
  /** Whether this rule would admit the event now. */
  public boolean isAllowed() {
    return retryAfter.isEmpty();
  }
}
