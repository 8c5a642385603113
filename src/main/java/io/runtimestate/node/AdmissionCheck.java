package io.runtimestate.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Asks the store whether a client's limit has room for a request, by the time that the log gives
 * it. A request is the event of its line, so a check that is sent again is free and must be
 * answered as before.
 */
final class AdmissionCheck {
  private static final String LIMIT = "limit:";
  private static final long MAX_SECONDS = Long.MAX_VALUE / 1_000;

  private final ReplayKeys keys;
  private final AdmissionLimit limit;

  AdmissionCheck(ReplayKeys keys, AdmissionLimit limit) {
    this.keys = keys;
    this.limit = limit;
  }

  Future<Boolean> admits(Request request) {
    Future<JsonObject> decision = decide(request);
    if (limit.twice()) {
      decision = decision.compose(first -> decide(request).map(second -> same(first, second)));
    }
    return decision.map(answer -> "allowed".equals(answer.getString("type")));
  }

  private Future<JsonObject> decide(Request request) {
    JsonObject rule = limit.rule(keys.tagged(LIMIT, request.client()));
    return keys.send(
        "usage.consume",
        new JsonObject()
            .put("rules", new JsonArray().add(rule))
            .put("eventId", Long.toString(request.line()))
            .put("now", unixMillis(request)));
  }

  /** Too late a time stays too late, for the store to refuse, instead of overflowing. */
  private static long unixMillis(Request request) {
    return Math.min(request.epochSeconds(), MAX_SECONDS) * 1_000;
  }

  private static JsonObject same(JsonObject first, JsonObject second) {
    if (!first.equals(second)) {
      throw new NodeFailure("the check was answered " + first + ", its repetition " + second);
    }
    return first;
  }
}
