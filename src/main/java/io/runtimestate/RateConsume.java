package io.runtimestate;

import io.runtimestate.data.RateScope;
import io.runtimestate.operation.RateOperation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Ready-made rate checks. */
public final class RateConsume {
  private RateConsume() {}

  /**
   * Charges a user and an API key 1 each: scopes {@code user} and {@code key}, in that order. A
   * limit of 0 leaves its scope unlimited.
   *
   * @param bucket number of the interval that is counted
   * @param ttl how long a counter lives, at least the rest of the bucket
   * @throws io.runtimestate.data.RuntimeStateException INVALID_INPUT if an argument breaks a rule
   *     of {@link RateOperation.Consume}
   */
  public static RateOperation.Consume userAndKey(
      String userKey, long userLimit, String keyKey, long keyLimit, long bucket, Duration ttl) {
    List<RateScope> scopes =
        List.of(new RateScope("user", userKey, userLimit), new RateScope("key", keyKey, keyLimit));
    return new RateOperation.Consume(scopes, bucket, ttl, 1, Optional.empty());
  }
}
