package io.runtimestate;

import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.TokenDecision;
import io.runtimestate.operation.RateOperation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Rate limits: counters over fixed buckets of time with several scopes at once, and token buckets.
 *
 * <p>A counter is identified by key and bucket and is global, whatever a scope is called. It lives
 * for the ttl of the call that created it; no later call moves its expiry, so use one ttl per
 * counter, at least the rest of the bucket. A refusal is a result, not a failure, and changes
 * nothing. Counters and token buckets are no data keys: {@link Keys} does not see them. Where slots
 * are enforced, the keys of all limited scopes of one call must share a {@code {tag}}, else it
 * fails {@code CROSS_SLOT}.
 */
public final class RateLimits {
  private final Door door;

  RateLimits(Door door) {
    this.door = door;
  }

  /** Charges every limited scope of the current bucket 1, or none of them. */
  public Future<RateDecision> consume(FixedWindow window, List<RateScope> scopes) {
    return consume(window, scopes, 1);
  }

  /**
   * Charges every limited scope of the current bucket, or none of them, and says when the bucket
   * ends. The bucket is taken from {@link RuntimeState#clock()}: runtimes whose estimates differ
   * use different buckets only around a boundary, and no bucket ever exceeds its limit.
   *
   * @param scopes 1 to 8 with distinct names
   * @param cost 1 to 4 294 967 295, at most each limit that is not 0
   */
  public Future<RateDecision> consume(FixedWindow window, List<RateScope> scopes, long cost) {
    return door.call(() -> inWindow(window, scopes, cost));
  }

  private RateOperation.Consume inWindow(FixedWindow window, List<RateScope> scopes, long cost) {
    FixedWindow given = Door.required("window", window);
    long bucket = given.bucketAt(door.backend().unixMillis());
    return new RateOperation.Consume(
        scopes, bucket, given.ttl(), cost, Optional.of(given.window()));
  }

  /** Charges every limited scope 1, or none of them. */
  public Future<RateDecision> consume(List<RateScope> scopes, long bucket, Duration ttl) {
    return consume(scopes, bucket, ttl, 1, null);
  }

  /**
   * Charges every limited scope, or none of them. The scopes are looked at in order; the first one
   * without room is the one named by the refusal. A key given twice is charged twice.
   *
   * @param scopes 1 to 8 with distinct names; a limit of 0 leaves its scope unlimited
   * @param bucket number of the interval that is counted, 0 to 2<sup>53</sup>−1
   * @param ttl how long a counter created by this call lives; not zero
   * @param cost 1 to 4 294 967 295, at most each limit that is not 0
   * @param window length of a bucket, so that the answer says when it ends; null: it does not
   */
  public Future<RateDecision> consume(
      List<RateScope> scopes, long bucket, Duration ttl, long cost, Duration window) {
    return door.call(
        () -> new RateOperation.Consume(scopes, bucket, ttl, cost, Optional.ofNullable(window)));
  }

  /** The count of one counter; 0 if there is none. */
  public Future<Long> count(String key, long bucket) {
    return door.call(() -> new RateOperation.Count(key, bucket));
  }

  /** Gives back 1 to every limited scope; see {@link #refund(List, long, long)}. */
  public Future<Void> refund(List<RateScope> scopes, long bucket) {
    return refund(scopes, bucket, 1);
  }

  /**
   * Undoes one {@link #consume}: lowers the counter of every limited scope by the cost, never below
   * 0. Expiries stay, missing counters are not created. Argument rules as for consuming.
   */
  public Future<Void> refund(List<RateScope> scopes, long bucket, long cost) {
    return door.call(() -> new RateOperation.Refund(scopes, bucket, cost));
  }

  /** Takes one token; see {@link #tokenBucket(String, long, long, Duration, long)}. */
  public Future<TokenDecision> tokenBucket(
      String key, long capacity, long refillTokens, Duration refillPeriod) {
    return tokenBucket(key, capacity, refillTokens, refillPeriod, 1);
  }

  /**
   * Takes tokens from a bucket that refills steadily, without drift. A bucket never seen is full;
   * it is forgotten when it is full again. It has nothing to do with counters of the same key.
   *
   * @param capacity the most tokens it holds, 1 to 10<sup>9</sup>
   * @param refillTokens how many arrive in each period, 1 to 10<sup>9</sup>
   * @param refillPeriod not zero; capacity times this, in milliseconds, is at most 2<sup>52</sup>
   * @param tokens how many to take, 1 to capacity
   */
  public Future<TokenDecision> tokenBucket(
      String key, long capacity, long refillTokens, Duration refillPeriod, long tokens) {
    return door.call(
        () -> new RateOperation.TokenBucket(key, capacity, refillTokens, refillPeriod, tokens));
  }
}
