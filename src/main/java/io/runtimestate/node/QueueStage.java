package io.runtimestate.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/**
 * Hands requests to workers through a stream, and checks that their totals are those of the
 * ranking, which was counted without them.
 */
final class QueueStage implements ReplayStage {
  static final String LINE = "line";
  static final String CLIENT = "client";
  static final String BYTES = "bytes";

  private static final String STREAM = "queue";
  private static final String DEAD_LETTERS = "dead";
  private static final String COUNTED = "counted:";
  private static final String REDELIVERED = "redelivered";

  private final ReplayKeys keys;
  private final ReplayCrew crew;
  private final BytesStage ranking;
  private long appended; // only on the replay's context

  QueueStage(ReplayKeys keys, ReplayCrew crew, BytesStage ranking) {
    this.keys = keys;
    this.crew = crew;
    this.ranking = ranking;
  }

  /** Starts the workers and waits until they work. */
  void start(int workers, long killAfter) {
    Waiting.on(create(STREAM).compose(created -> create(DEAD_LETTERS)));
    for (int i = 1; i <= workers; i++) {
      crew.hire(order("worker-" + i, i == 1 ? killAfter : 0));
    }
    crew.awaitReady();
  }

  /** Before anybody appends, so that the stream has a lifetime from the beginning. */
  private Future<?> create(String stream) {
    return keys.send("queue.ensureGroup", ofGroup(stream))
        .compose(created -> keys.boundLifetime(stream));
  }

  private WorkOrder order(String consumer, long holdAfter) {
    return new WorkOrder(
        keys.name(STREAM),
        keys.name(DEAD_LETTERS),
        keys.name(COUNTED),
        keys.name(REDELIVERED),
        consumer,
        holdAfter);
  }

  @Override
  public Future<?> handle(Request request) {
    JsonObject fields =
        new JsonObject()
            .put(LINE, Long.toString(request.line()))
            .put(CLIENT, request.client())
            .put(BYTES, Long.toString(request.bytes()));
    return keys.send(
            "queue.append", new JsonObject().put("stream", keys.name(STREAM)).put("fields", fields))
        .onSuccess(id -> appended++);
  }

  @Override
  public JsonObject summary() {
    crew.await(() -> length(STREAM) == 0);
    crew.close();
    long deadLettered = length(DEAD_LETTERS);
    Totals totals = totals(deadLettered == 0);
    return new JsonObject()
        .put("processed", totals.requests)
        .put("redelivered", Waiting.<Number>on(keys.send("score.size", ofKey(REDELIVERED))))
        .put("deadLettered", deadLettered)
        .put("bytesByWorkers", totals.bytes);
  }

  private long length(String stream) {
    return Waiting.<JsonObject>on(keys.send("queue.stats", ofGroup(stream))).getLong("length");
  }

  /** Of all clients; complete ones must be what the ranking says, client by client. */
  private Totals totals(boolean complete) {
    Totals all = new Totals();
    ranking.forEach(
        client -> {
          Totals own = totals(client.name());
          if (complete) {
            ReplayKeys.check("bytes of a client, counted by workers", own.bytes, client.score());
          }
          all.add(own.requests, own.bytes);
        });
    if (complete) {
      ReplayKeys.check("requests, counted by workers", all.requests, appended);
    }
    return all;
  }

  private Totals totals(String client) {
    Totals totals = new Totals();
    keys.scores(COUNTED + client).forEach(line -> totals.add(1, line.score()));
    return totals;
  }

  private JsonObject ofGroup(String stream) {
    return new JsonObject().put("stream", keys.name(stream)).put("group", WorkOrder.GROUP);
  }

  private JsonObject ofKey(String key) {
    return new JsonObject().put("key", keys.name(key));
  }

  private static final class Totals {
    private long requests;
    private long bytes;

    void add(long moreRequests, long moreBytes) {
      requests += moreRequests;
      bytes += moreBytes;
    }
  }
}
