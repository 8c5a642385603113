package io.runtimestate.data;

import java.time.Duration;
import java.util.Optional;

/**
 * One sliding window of a usage check.
 *
 * @param key of the window; the keys of one check share one non-empty {@code {tag}}
 * @param limit how many events the window admits, 1 to 2<sup>53</sup>−1
 * @param window how long an event counts
 * @param retention how long the window outlives its last admitted check; absent: as long as an
 *     event counts
 */
public record UsageRule(String key, long limit, Duration window, Optional<Duration> retention) {
  /** Reads a missing retention as absent. */
  public UsageRule {
    retention = retention == null ? Optional.empty() : retention;
  }

  /** A rule whose window is kept as long as an event counts. */
  public UsageRule(String key, long limit, Duration window) {
    this(key, limit, window, Optional.empty());
  }

  /** A rule whose window is kept for a time of its own. */
  public UsageRule(String key, long limit, Duration window, Duration retention) {
    this(key, limit, window, Optional.ofNullable(retention));
  }

  /** The retention in effect. */
  public Duration effectiveRetention() {
    return retention.orElse(window);
  }

  @Override
  public String toString() {
    return "UsageRule";
  }
}
