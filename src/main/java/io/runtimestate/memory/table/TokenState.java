package io.runtimestate.memory.table;

/**
 * What a token bucket holds, in whole numbers: nothing is lost by rounding, so a bucket never
 * drifts.
 *
 * <p>No product overflows: capacity × period is at most 2<sup>52</sup>, and elapsed time is
 * compared with the time to full before it is multiplied.
 *
 * @param remainder what has arrived of the next token, in units of 1 / period
 * @param stamp unix milliseconds of this state
 */
record TokenState(long tokens, long remainder, long stamp) {

  /**
   * The parameters of a call, which win over those the bucket was used with before.
   *
   * @param refill how many tokens arrive in a period
   * @param period in milliseconds
   */
  record Rate(long capacity, long refill, long period) {}

  static TokenState full(Rate rate, long now) {
    return new TokenState(rate.capacity, 0, now);
  }

  /** This bucket at a later time; at an earlier one nothing has arrived. */
  TokenState refilled(Rate rate, long now) {
    TokenState kept =
        new TokenState(
            Math.min(tokens, rate.capacity), Math.min(remainder, rate.period - 1), stamp);
    long elapsed = Math.max(0, now - stamp);
    long latest = Math.max(stamp, now);
    if (elapsed >= kept.millisUntil(rate.capacity, rate)) {
      return full(rate, latest);
    }
    long arrived = elapsed * rate.refill + kept.remainder;
    return new TokenState(kept.tokens + arrived / rate.period, arrived % rate.period, latest);
  }

  TokenState minus(long taken) {
    return new TokenState(tokens - taken, remainder, stamp);
  }

  /** Time from the stamp until the bucket holds so many tokens; 0 if it does. */
  long millisUntil(long wanted, Rate rate) {
    if (tokens >= wanted) {
      return 0;
    }
    long missing = (wanted - tokens) * rate.period - remainder;
    return (missing + rate.refill - 1) / rate.refill;
  }
}
