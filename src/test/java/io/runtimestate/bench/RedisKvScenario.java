package io.runtimestate.bench;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.runtimestate.KeyValues;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.redisson.api.RedissonClient;

/** Values: set with an expiry and get, in turn. */
final class RedisKvScenario extends RedisScenario {
  private static final SetArgs PX = SetArgs.Builder.px(Stage.TTL.toMillis());

  @Override
  public String name() {
    return "redis-kv";
  }

  @Override
  public String title() {
    return "Redis: set with ttl and get, in turn";
  }

  @Override
  List<Peer> peers(RedisStage stage) throws Exception {
    KeyValues ours = stage.state().kv();
    RedisAsyncCommands<String, String> lettuce = stage.lettuce();
    RedissonClient redisson = stage.redisson();
    return List.of(
        Peer.of(OURS, (n, slot) -> ours(ours, n, slot)),
        plain(PLAIN, stage.plain()),
        plain(MERGING, stage.merging()),
        Peer.elsewhere(LETTUCE, (n, slot) -> lettuce(lettuce, n, slot)),
        Peer.elsewhere(REDISSON, (n, slot) -> redisson(redisson, n, slot)));
  }

  private static Peer plain(String name, RedisConnection connection) {
    return Peer.of(name, (n, slot) -> connection.send(request(n)).onComplete(slot))
        .reading(RedisStage.text());
  }

  private static boolean isSet(long number) {
    return (number & 1) == 0;
  }

  private static void ours(KeyValues kv, long n, Slot slot) {
    if (isSet(n)) {
      kv.set(Stage.key(n), Stage.VALUE, Stage.TTL).onComplete(slot);
    } else {
      kv.get(Stage.key(n)).onComplete(slot);
    }
  }

  private static Request request(long n) {
    return isSet(n)
        ? Request.cmd(Command.SET)
            .arg(Stage.key(n))
            .arg(Stage.VALUE)
            .arg("PX")
            .arg(Stage.TTL.toMillis())
        : Request.cmd(Command.GET).arg(Stage.key(n));
  }

  private static void lettuce(RedisAsyncCommands<String, String> lettuce, long n, Slot slot) {
    if (isSet(n)) {
      lettuce.set(Stage.key(n), Stage.VALUE, PX).whenComplete(slot);
    } else {
      lettuce.get(Stage.key(n)).whenComplete(slot);
    }
  }

  private static void redisson(RedissonClient redisson, long n, Slot slot) {
    var bucket = redisson.<String>getBucket(Stage.key(n));
    if (isSet(n)) {
      bucket.setAsync(Stage.VALUE, Stage.TTL).whenComplete(slot);
    } else {
      bucket.getAsync().whenComplete(slot);
    }
  }

  @Override
  Map<String, Target> targets(Load load) {
    Map<String, Target> targets = new HashMap<>();
    boolean task = load.starts() == Starts.TASK;
    if (load.inFlight() <= 16) {
      targets.put(PLAIN, Target.atLeast(0.95));
      targets.put(LETTUCE, Target.atLeast(1));
      targets.put(REDISSON, Target.atLeast(1));
    } else if (load.inFlight() == 256) {
      targets.put(PLAIN, Target.atLeast(task ? 3 : 0.9));
      targets.put(LETTUCE, Target.atLeast(2));
      targets.put(REDISSON, Target.atLeast(4));
    }
    return targets;
  }
}
