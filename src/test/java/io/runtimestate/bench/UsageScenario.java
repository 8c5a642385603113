package io.runtimestate.bench;

import io.runtimestate.UsageLimits;
import io.runtimestate.data.UsageRule;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;

/**
 * An event checked against a sliding window, of one second so that as many go as come, all of them
 * admitted. Redisson's limiter is the nearest it has: its window slides as well, but it counts a
 * repeated event again and cannot check two windows in one step.
 */
final class UsageScenario extends RedisScenario {
  private static final String TWO = "ours, two windows";
  private static final long LIMIT = 1_000_000_000;
  private static final Duration WINDOW = Duration.ofSeconds(1);

  @Override
  public String name() {
    return "redis-usage";
  }

  @Override
  public String title() {
    return "Redis: usage limit, one check per call";
  }

  @Override
  List<Peer> peers(RedisStage stage) throws Exception {
    UsageLimits usage = stage.state().usage();
    RedissonClient redisson = redisson(stage);
    return List.of(
        Peer.of(OURS, (n, slot) -> usage.consume(one(n), event(n)).onComplete(slot)),
        plain(stage),
        Peer.of(TWO, (n, slot) -> usage.consume(two(n), event(n)).onComplete(slot)),
        Peer.elsewhere(
            REDISSON, (n, slot) -> limiter(redisson, n).tryAcquireAsync(1).whenComplete(slot)));
  }

  private static String event(long number) {
    return "request-" + number;
  }

  private static String window(long number) {
    return "{" + Stage.key(number) + "}";
  }

  private static List<UsageRule> one(long number) {
    return List.of(new UsageRule(window(number), LIMIT, WINDOW));
  }

  private static List<UsageRule> two(long number) {
    return List.of(
        new UsageRule(window(number) + "a", LIMIT, WINDOW),
        new UsageRule(window(number) + "b", LIMIT, WINDOW));
  }

  /** The same script, sent by hand. */
  private static Peer plain(RedisStage stage) throws Exception {
    RedisConnection connection = stage.plain();
    String sha = stage.script("usage_consume");
    return Peer.of(
            PLAIN, (n, slot) -> connection.send(check(sha, window(n), event(n))).onComplete(slot))
        .reading(RedisStage.text());
  }

  private static Request check(String sha, String window, String event) {
    return Request.cmd(Command.EVALSHA)
        .arg(sha)
        .arg(1)
        .arg("plain:" + window)
        .arg(event)
        .arg("")
        .arg(LIMIT)
        .arg(WINDOW.toMillis())
        .arg(WINDOW.toMillis());
  }

  /** Each limiter must be told its rate once. */
  private static RedissonClient redisson(RedisStage stage) {
    RedissonClient redisson = stage.redisson();
    for (long n = 0; n < 4L * Stage.KEYS; n++) {
      limiter(redisson, n).trySetRate(RateType.OVERALL, LIMIT, WINDOW);
    }
    return redisson;
  }

  private static RRateLimiter limiter(RedissonClient redisson, long number) {
    return redisson.getRateLimiter("redisson:" + Stage.key(number));
  }
}
