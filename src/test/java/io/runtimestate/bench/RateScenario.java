package io.runtimestate.bench;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.runtimestate.FixedWindow;
import io.runtimestate.RateLimits;
import io.runtimestate.data.RateScope;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;

/**
 * One request checked against two limits, of its client and of its route, all of them admitted.
 *
 * <p>Peers without limits of several scopes ask twice, one after the other, as they must to charge
 * nothing when the first refuses; they are also shown with one scope only, which is less work than
 * ours.
 */
final class RateScenario extends RedisScenario {
  private static final long LIMIT = 1_000_000_000;
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final int ROUTES = 16;
  private static final String BUCKET4J = "Bucket4j on Lettuce";
  private static final String BUCKET4J_ONE = "Bucket4j on Lettuce, one scope";
  private static final String REDISSON_ONE = "Redisson, one scope";

  /** The usual one: it counts what it refuses half-way only because limits are looked at first. */
  private static final String SCRIPT =
      """
      local a = tonumber(redis.call('GET', KEYS[1]) or '0')
      local b = tonumber(redis.call('GET', KEYS[2]) or '0')
      if a >= tonumber(ARGV[1]) or b >= tonumber(ARGV[1]) then return 0 end
      redis.call('INCR', KEYS[1])
      redis.call('EXPIRE', KEYS[1], ARGV[2])
      redis.call('INCR', KEYS[2])
      redis.call('EXPIRE', KEYS[2], ARGV[2])
      return 1
      """;

  @Override
  public String name() {
    return "redis-rate";
  }

  @Override
  public String title() {
    return "Redis: rate limit of two scopes, one check per call";
  }

  @Override
  List<Peer> peers(RedisStage stage) throws Exception {
    RateLimits ours = stage.state().rates();
    FixedWindow window = new FixedWindow(WINDOW);
    AsyncProxyManager<String> bucket4j = bucket4j(stage);
    BucketConfiguration limit =
        BucketConfiguration.builder()
            .addLimit(bandwidth -> bandwidth.capacity(LIMIT).refillGreedy(LIMIT, WINDOW))
            .build();
    RedissonClient redisson = redisson(stage);
    return List.of(
        Peer.of(OURS, (n, slot) -> ours.consume(window, scopes(n)).onComplete(slot)),
        plain(stage),
        Peer.elsewhere(
            BUCKET4J,
            (n, slot) ->
                take(bucket4j, limit, client(n))
                    .thenCompose(first -> take(bucket4j, limit, route(n)))
                    .whenComplete(slot)),
        Peer.elsewhere(
            BUCKET4J_ONE, (n, slot) -> take(bucket4j, limit, client(n)).whenComplete(slot)),
        Peer.elsewhere(
            REDISSON,
            (n, slot) ->
                take(redisson, client(n))
                    .thenCompose(first -> take(redisson, route(n)))
                    .whenComplete(slot)),
        Peer.elsewhere(REDISSON_ONE, (n, slot) -> take(redisson, client(n)).whenComplete(slot)));
  }

  private static String client(long number) {
    return Stage.key(number);
  }

  private static String route(long number) {
    return "route:" + number % ROUTES;
  }

  private static List<RateScope> scopes(long n) {
    return List.of(
        new RateScope("client", client(n), LIMIT), new RateScope("route", route(n), LIMIT));
  }

  private static Peer plain(RedisStage stage) throws Exception {
    RedisConnection connection = stage.plain();
    String sha =
        Stage.on(stage.caller, () -> connection.send(Request.cmd(Command.SCRIPT, "LOAD", SCRIPT)))
            .toString();
    return Peer.of(
            PLAIN, (n, slot) -> connection.send(check(sha, client(n), route(n))).onComplete(slot))
        .reading(RedisStage.text());
  }

  private static Request check(String sha, String client, String route) {
    String bucket = ":" + System.currentTimeMillis() / WINDOW.toMillis();
    return Request.cmd(Command.EVALSHA)
        .arg(sha)
        .arg(2)
        .arg("plain:" + client + bucket)
        .arg("plain:" + route + bucket)
        .arg(LIMIT)
        .arg(WINDOW.toSeconds());
  }

  private static AsyncProxyManager<String> bucket4j(RedisStage stage) {
    var connection =
        stage.lettuceClient().connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    return Bucket4jLettuce.casBasedBuilder(connection)
        .expirationAfterWrite(
            ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(WINDOW))
        .build()
        .asAsync();
  }

  private static CompletableFuture<Boolean> take(
      AsyncProxyManager<String> buckets, BucketConfiguration limit, String key) {
    return buckets
        .builder()
        .build("bucket4j:" + key, () -> CompletableFuture.completedFuture(limit))
        .tryConsume(1);
  }

  /** Each limiter must be told its rate once. */
  private static RedissonClient redisson(RedisStage stage) {
    RedissonClient redisson = stage.redisson();
    for (long n = 0; n < 4L * Stage.KEYS; n++) {
      limiter(redisson, client(n)).trySetRate(RateType.OVERALL, LIMIT, WINDOW);
    }
    for (long n = 0; n < ROUTES; n++) {
      limiter(redisson, route(n)).trySetRate(RateType.OVERALL, LIMIT, WINDOW);
    }
    return redisson;
  }

  private static RRateLimiter limiter(RedissonClient redisson, String key) {
    return redisson.getRateLimiter("redisson:" + key);
  }

  private static CompletionStage<Boolean> take(RedissonClient redisson, String key) {
    return limiter(redisson, key).tryAcquireAsync(1);
  }

  @Override
  Map<String, Target> targets(Load load) {
    Map<String, Target> targets = new HashMap<>();
    boolean many = load.inFlight() == 256;
    targets.put(PLAIN, Target.atLeast(many ? 2.5 : 1));
    targets.put(BUCKET4J, Target.atLeast(many ? 5 : 1));
    targets.put(BUCKET4J_ONE, Target.atLeast(1));
    targets.put(REDISSON, Target.atLeast(many ? 8 : 1));
    targets.put(REDISSON_ONE, Target.atLeast(1));
    return targets;
  }
}
