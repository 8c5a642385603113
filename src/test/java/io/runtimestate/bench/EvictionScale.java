package io.runtimestate.bench;

import io.runtimestate.KeyValues;
import io.vertx.core.Context;
import java.util.List;

/** A store that is full, so that each new value makes the oldest one go. */
final class EvictionScale implements ScaleFamily {
  @Override
  public ScaleWorld open(Stage stage, Context owner, int size) throws Exception {
    return ScaleWorld.open(stage, owner, size, size);
  }

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    KeyValues kv = world.state().kv();
    world.fill(key -> kv.set(key, Stage.VALUE, Stage.TTL));
    return List.of(
        ScaleOperation.of(
            "kv.set that evicts",
            "log n",
            number -> "new:" + number,
            key -> kv.set(key, Stage.VALUE, Stage.TTL)));
  }
}
