package io.runtimestate.node;

import io.vertx.core.json.JsonObject;
import java.time.Duration;

/**
 * What is asked of every request before it counts.
 *
 * @param requests the most that are admitted of one client in any window
 * @param window how long a request counts
 * @param twice whether every check is sent a second time, as a client does that lost its answer
 */
record AdmissionLimit(long requests, Duration window, boolean twice) {

  /** The rule of one client, as the addresses take it. */
  JsonObject rule(String key) {
    return new JsonObject().put("key", key).put("limit", requests).put("window", window.toMillis());
  }
}
