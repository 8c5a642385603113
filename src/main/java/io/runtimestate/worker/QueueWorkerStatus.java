package io.runtimestate.worker;

import java.util.Optional;

/**
 * What a worker does and did since it was made.
 *
 * @param running whether it was started and not closed
 * @param inFlight messages in the hands of a handler, or whose end is being recorded
 * @param handled messages handled and acknowledged
 * @param failed deliveries that failed
 * @param reclaimed entries taken over from the pending list
 * @param deadLettered entries moved to the dead-letter stream
 * @param lost entries that were somebody else's, or gone, when their end was to be recorded
 * @param vanished pending ids without an entry, found by claims
 * @param groupRecreated how often the group was made again because it had gone
 * @param lastError class and message of the last failure of a handler or of the worker itself
 */
public record QueueWorkerStatus(
    boolean running,
    long inFlight,
    long handled,
    long failed,
    long reclaimed,
    long deadLettered,
    long lost,
    long vanished,
    long groupRecreated,
    Optional<String> lastError) {
  @Override
  public String toString() {
    return "QueueWorkerStatus";
  }
}
