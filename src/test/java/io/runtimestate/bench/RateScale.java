package io.runtimestate.bench;

import io.runtimestate.RateLimits;
import io.runtimestate.data.RateScope;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/** So many counters and as many token buckets. */
final class RateScale implements ScaleFamily {
  private static final long LIMIT = 4_000_000_000L;
  private static final Duration DAY = Duration.ofDays(1);

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    RateLimits rates = world.state().rates();
    world.fill(key -> rates.consume(scopes(key), 1, DAY));
    world.fill(key -> bucket(rates, key));
    return List.of(
        ScaleOperation.of(
            "rate.consume of two scopes",
            "scopes",
            n -> scopes(world.some(n)),
            scopes -> rates.consume(scopes, 1, DAY)),
        ScaleOperation.of("rate.count", "1", world::some, key -> rates.count(key, 1)),
        ScaleOperation.prepared(
            "rate.refund of two scopes",
            "scopes",
            n -> charged(rates, scopes(world.some(n))),
            scopes -> rates.refund(scopes, 1)),
        ScaleOperation.of("rate.tokenBucket", "log n", world::some, key -> bucket(rates, key)));
  }

  private static List<RateScope> scopes(String key) {
    return List.of(new RateScope("client", key, LIMIT), new RateScope("all", "all", LIMIT));
  }

  private static Future<List<RateScope>> charged(RateLimits rates, List<RateScope> scopes) {
    return rates.consume(scopes, 1, DAY).map(scopes);
  }

  /** Too slow to be full again, and so forgotten, while it is measured. */
  private static Future<?> bucket(RateLimits rates, String key) {
    return rates.tokenBucket(key, 1_000_000, 1, Duration.ofSeconds(1));
  }
}
