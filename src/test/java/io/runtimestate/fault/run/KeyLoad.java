package io.runtimestate.fault.run;

import io.runtimestate.data.KeyTtl;
import io.vertx.core.Future;
import java.time.Duration;

/** Makes a key of its own, looks at it and deletes it, each time another. */
final class KeyLoad extends Load {
  private static final Duration LONG = Duration.ofMinutes(30);
  private int made;

  KeyLoad(Place place) {
    super(place);
  }

  @Override
  Future<?> turn() {
    String key = "key-" + made++;
    return call("kv.setIfAbsent", () -> state.kv().setIfAbsent(key, "v", LONG))
        .onSuccess(stored -> require(stored, "a new key was there already"))
        .compose(stored -> call("key.ttl", () -> state.keys().ttl(key)))
        .onSuccess(ttl -> require(ttl instanceof KeyTtl.Remaining, "a stored key has " + ttl))
        .compose(ttl -> call("key.expire", () -> state.keys().expire(key, LONG)))
        .compose(expires -> call("key.delete", () -> state.keys().delete(key)))
        .onSuccess(deleted -> require(deleted, "a stored key was gone"))
        .compose(deleted -> call("key.exists", () -> state.keys().exists(key)))
        .onSuccess(exists -> require(!exists, "a deleted key was there"))
        .compose(exists -> call("key.scan", () -> state.keys().scan("key-*")));
  }

  @Override
  void verify() {}
}
