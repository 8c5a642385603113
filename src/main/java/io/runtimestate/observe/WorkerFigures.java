package io.runtimestate.observe;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The numbers of one worker, read by any thread.
 *
 * @param messages how many messages took each outcome; every worker has the same outcomes
 * @param groupsRecreated how often the group had gone and was made again
 * @param inFlight how many messages are being handled
 */
public record WorkerFigures(
    Map<String, LongSupplier> messages, LongSupplier groupsRecreated, LongSupplier inFlight) {
  private static final LongSupplier NONE = () -> 0;

  /** Copies the map. */
  public WorkerFigures {
    messages = Map.copyOf(messages);
  }

  /** Those of a worker that did nothing. */
  WorkerFigures none() {
    Map<String, LongSupplier> nothing = new LinkedHashMap<>();
    messages.keySet().forEach(outcome -> nothing.put(outcome, NONE));
    return new WorkerFigures(nothing, NONE, NONE);
  }

  @Override
  public String toString() {
    return "WorkerFigures";
  }
}
