package io.runtimestate.node;

import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/**
 * What one worker is told to do.
 *
 * @param stream of the requests
 * @param deadLetters stream of the requests that cannot be counted
 * @param counted the beginning of the keys that hold what was counted, one for each client
 * @param redelivered the key that holds what was delivered more than once
 * @param consumer the worker's name
 * @param holdAfter after how many requests it acknowledges no more of those it counts; 0: never
 */
record WorkOrder(
    String stream,
    String deadLetters,
    String counted,
    String redelivered,
    String consumer,
    long holdAfter) {
  static final String GROUP = "workers";

  /** Short, so that the requests of a dead worker are not waited for much longer than others. */
  private static final Duration MIN_IDLE = Duration.ofSeconds(2);

  private static final Duration RECLAIM_INTERVAL = Duration.ofMillis(200);
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);
  private static final int CONCURRENCY = 16;

  static WorkOrder of(JsonObject json) {
    return new WorkOrder(
        json.getString("stream"),
        json.getString("deadLetters"),
        json.getString("counted"),
        json.getString("redelivered"),
        json.getString("consumer"),
        json.getLong("holdAfter"));
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("stream", stream)
        .put("deadLetters", deadLetters)
        .put("counted", counted)
        .put("redelivered", redelivered)
        .put("consumer", consumer)
        .put("holdAfter", holdAfter);
  }

  QueueWorkerOptions options() {
    return new QueueWorkerOptions(stream, GROUP, consumer)
        .setConcurrency(CONCURRENCY)
        .setMinIdle(MIN_IDLE)
        .setReclaimInterval(RECLAIM_INTERVAL)
        .setDeadLetterStream(deadLetters)
        .setDrainTimeout(DRAIN_TIMEOUT);
  }
}
