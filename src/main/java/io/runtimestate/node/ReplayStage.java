package io.runtimestate.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** One thing that a replay does with every request. */
interface ReplayStage {
  /**
   * Handles a request, on the replay's context. Requests of one client come one after the other,
   * those of different clients at the same time.
   */
  Future<?> handle(Request request);

  /** Afterwards, on a thread that may wait: what the store says. Its names must be its own. */
  JsonObject summary();
}
