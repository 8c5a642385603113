package io.runtimestate.bench;

import io.vertx.core.Context;
import java.util.List;

/** What belongs together on one store. */
interface ScaleFamily {
  /** A store that holds so many entries. */
  default ScaleWorld open(Stage stage, Context owner, int size) throws Exception {
    return ScaleWorld.open(stage, owner, size);
  }

  /** Fills the store and tells what to measure; the same for every size, in the same order. */
  List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception;
}
