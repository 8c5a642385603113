package io.runtimestate.operation;

import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.TokenDecision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Operations on rate limits: counters by key and bucket, and token buckets.
 *
 * @param <R> the result
 */
public sealed interface RateOperation<R> extends Operation<R> {

  /** The largest limit and cost of a scope. */
  long MAX_LIMIT = 4_294_967_295L;

  /**
   * Charges every limited scope, or none of them.
   *
   * @param scopes 1 to 8 with distinct names; a limit of 0 means not limited
   * @param bucket number of the interval that is counted, 0 to 2<sup>53</sup>−1
   * @param ttl how long a counter created by this call lives; it is never extended
   * @param cost 1 to 4 294 967 295, at most each limit that is not 0
   * @param window length of a bucket, if the answer is to say when it ends
   */
  record Consume(
      List<RateScope> scopes,
      long bucket,
      Duration ttl,
      @Default("1") long cost,
      Optional<Duration> window)
      implements RateOperation<RateDecision> {
    /** Checks and copies the arguments. */
    public Consume {
      scopes = RateChecks.scopes(this, scopes, bucket, cost);
      ttl = Checks.positive(this, "ttl", ttl);
      window = Checks.optionalPositive(this, "window", window);
      Checks.require(
          endIsExact(bucket, window),
          this,
          "window",
          "must keep the end of the bucket at most " + Checks.MAX_EXACT);
    }

    private static boolean endIsExact(long bucket, Optional<Duration> window) {
      return window.isEmpty() || bucket < Checks.MAX_EXACT / window.get().toMillis();
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** The count of one counter; 0 if there is none. */
  record Count(String key, long bucket) implements RateOperation<Long> {
    /** Checks the arguments. */
    public Count {
      Checks.key(this, "key", key);
      Checks.within(this, "bucket", bucket, 0, Checks.MAX_EXACT);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Undoes one {@link Consume}: lowers the counter of every limited scope by the cost, not below 0.
   * Expiries stay; missing counters are not created.
   */
  record Refund(List<RateScope> scopes, long bucket, @Default("1") long cost)
      implements RateOperation<Void> {
    /** Checks and copies the arguments. */
    public Refund {
      scopes = RateChecks.scopes(this, scopes, bucket, cost);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Takes tokens from a bucket that refills steadily. A bucket never seen is full.
   *
   * @param capacity the most tokens it holds, 1 to 10<sup>9</sup>
   * @param refillTokens how many arrive in each period, 1 to 10<sup>9</sup>
   * @param refillPeriod capacity times this, in milliseconds, is at most 2<sup>52</sup>
   * @param tokens how many to take, 1 to capacity
   */
  record TokenBucket(
      String key,
      long capacity,
      long refillTokens,
      Duration refillPeriod,
      @Default("1") long tokens)
      implements RateOperation<TokenDecision> {
    private static final long MAX_TOKENS = 1_000_000_000;
    private static final long MAX_PRODUCT = 1L << 52;

    /** Checks the arguments. */
    public TokenBucket {
      Checks.key(this, "key", key);
      Checks.within(this, "capacity", capacity, 1, MAX_TOKENS);
      Checks.within(this, "refillTokens", refillTokens, 1, MAX_TOKENS);
      refillPeriod = Checks.positive(this, "refillPeriod", refillPeriod);
      Checks.require(
          refillPeriod.toMillis() <= MAX_PRODUCT / capacity,
          this,
          "refillPeriod",
          "times capacity must be at most " + MAX_PRODUCT + " ms");
      Checks.within(this, "tokens", tokens, 1, capacity);
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
