package io.runtimestate.bench;

import io.runtimestate.KeyValues;
import io.runtimestate.Keys;
import io.runtimestate.data.KeyValue;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Values that expire, and keys of any type. */
final class KvScale implements ScaleFamily {
  private static final int SOME = 10;

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    KeyValues kv = world.state().kv();
    Keys keys = world.state().keys();
    world.fill(key -> kv.set(key, Stage.VALUE, Stage.TTL));
    return List.of(
        floor(world),
        ScaleOperation.of("kv.get", "1", world::some, kv::get),
        ScaleOperation.of(
            "kv.set with ttl", "log n", world::some, key -> kv.set(key, Stage.VALUE, Stage.TTL)),
        ScaleOperation.of(
                "kv.set of a new key",
                "log n",
                world::other,
                key -> kv.set(key, Stage.VALUE, Stage.TTL))
            .undo((key, done) -> keys.delete(key)),
        ScaleOperation.of(
                "kv.setIfAbsent of a new key",
                "log n",
                world::other,
                key -> kv.setIfAbsent(key, Stage.VALUE, Stage.TTL))
            .undo((key, done) -> keys.delete(key)),
        ScaleOperation.prepared("kv.take", "log n", n -> added(world, n), kv::take),
        ScaleOperation.of(
            "kv.compareAndSet",
            "log n",
            world::some,
            key -> kv.compareAndSet(key, Stage.VALUE, Stage.VALUE, Stage.TTL)),
        ScaleOperation.prepared(
            "kv.deleteIfEquals",
            "log n",
            n -> added(world, n),
            key -> kv.deleteIfEquals(key, Stage.VALUE)),
        ScaleOperation.of(
                "kv.increment of a new key",
                "log n",
                world::other,
                key -> kv.increment(key, 1, Stage.TTL))
            .undo((key, done) -> keys.delete(key)),
        ScaleOperation.of(
            "kv.getMany of 10", "k", n -> names(world, n), names -> kv.getMany(names)),
        ScaleOperation.of(
            "kv.setMany of 10",
            "k log n",
            n -> names(world, n).stream().map(name -> new KeyValue(name, Stage.VALUE)).toList(),
            entries -> kv.setMany(entries, Stage.TTL)),
        ScaleOperation.of("key.exists", "1", world::some, keys::exists),
        ScaleOperation.of("key.ttl", "1", world::some, keys::ttl),
        ScaleOperation.of(
            "key.expire", "log n", world::some, key -> keys.expire(key, Stage.TTL.plusMillis(1))),
        ScaleOperation.of("key.persist", "log n", world::some, keys::persist)
            .undo((key, done) -> keys.expire(key, Stage.TTL)),
        ScaleOperation.prepared("key.delete", "log n", n -> added(world, n), keys::delete),
        ScaleOperation.of(
            "key.scan, a page of 512", "k", n -> "session:*", pattern -> keys.scan(pattern)));
  }

  /** What a processor needs for the same number of texts with nothing around them. */
  private static ScaleOperation<?, ?> floor(ScaleWorld world) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < world.size(); i++) {
      map.put(ScaleWorld.name(i), Stage.VALUE);
    }
    Future<Void> found = Future.succeededFuture();
    return ScaleOperation.of(
        "HashMap.get, the limit of the machine",
        "1",
        world::some,
        key -> map.get(key) == null ? Future.<Void>failedFuture(key) : found);
  }

  private static Future<String> added(ScaleWorld world, long number) {
    String key = world.other(number);
    return world.state().kv().set(key, Stage.VALUE, Stage.TTL).map(key);
  }

  private static List<String> names(ScaleWorld world, long number) {
    return LongStream.range(0, SOME).mapToObj(i -> world.some(number * SOME + i)).toList();
  }
}
