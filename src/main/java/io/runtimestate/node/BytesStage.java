package io.runtimestate.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Ranks clients by the bytes they were sent: one score for each client. Scores are doubles, and
 * exact up to 2<sup>53</sup> bytes; a log that leaves them fails the comparison at the end.
 */
final class BytesStage implements ReplayStage {
  private static final String BYTES = "bytes";
  private static final int TOP = 10;

  private final ReplayKeys keys;
  private long bytes; // only on the replay's context

  BytesStage(ReplayKeys keys) {
    this.keys = keys;
  }

  @Override
  public Future<?> handle(Request request) {
    return keys.send(
            "score.increment",
            new JsonObject()
                .put("key", keys.name(BYTES))
                .put("member", request.client())
                .put("delta", request.bytes()))
        .compose(
            sum -> {
              bytes += request.bytes();
              return keys.boundLifetime(BYTES);
            });
  }

  @Override
  public JsonObject summary() {
    LongAdder stored = new LongAdder();
    forEach(client -> stored.add(client.score()));
    ReplayKeys.check("bytes", stored.sum(), bytes);
    return new JsonObject().put("admittedBytes", bytes).put("topClients", topClients());
  }

  /** All clients with their bytes, as the store has them. */
  void forEach(Consumer<ReplayScores.Member> clients) {
    keys.scores(BYTES).forEach(clients);
  }

  private JsonArray topClients() {
    List<JsonObject> top =
        keys.scores(BYTES).highest(TOP).stream()
            .map(
                client ->
                    new JsonObject().put("client", client.name()).put("bytes", client.score()))
            .toList();
    return new JsonArray(top);
  }
}
