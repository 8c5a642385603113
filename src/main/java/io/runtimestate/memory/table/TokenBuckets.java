package io.runtimestate.memory.table;

import io.runtimestate.data.TokenDecision;
import io.runtimestate.memory.table.TokenState.Rate;
import java.time.Duration;
import java.util.function.LongUnaryOperator;

/** The token buckets. A bucket that is not stored is full, and a full one need not be stored. */
public final class TokenBuckets {
  private final ControlTable<TokenBucket> buckets;

  /** The buckets of an empty table. */
  public TokenBuckets(ControlTable<TokenBucket> buckets) {
    this.buckets = buckets;
  }

  /**
   * Takes tokens, or none; a refusal leaves the bucket as it was.
   *
   * @param period in milliseconds, in which {@code refill} tokens arrive
   * @param now unix milliseconds
   * @param deadlineAfter makes a deadline of a number of milliseconds
   */
  public TokenDecision take(
      String key,
      long capacity,
      long refill,
      long period,
      long tokens,
      long now,
      LongUnaryOperator deadlineAfter) {
    Rate rate = new Rate(capacity, refill, period);
    TokenBucket stored = buckets.find(key);
    TokenState state =
        stored == null ? TokenState.full(rate, now) : stored.state.refilled(rate, now);
    if (state.tokens() < tokens) {
      return new TokenDecision.Rejected(Duration.ofMillis(state.millisUntil(tokens, rate)));
    }
    TokenBucket bucket = stored == null ? create(key) : stored;
    bucket.state = state.minus(tokens);
    long full = bucket.state.millisUntil(capacity, rate) + bucket.state.stamp() - now;
    buckets.schedule(bucket, deadlineAfter.applyAsLong(full));
    return new TokenDecision.Allowed(bucket.state.tokens());
  }

  private TokenBucket create(String key) {
    buckets.budget().require(TokenBucket.bytesOf(key));
    TokenBucket bucket = new TokenBucket(buckets, key);
    buckets.add(bucket);
    return bucket;
  }
}
