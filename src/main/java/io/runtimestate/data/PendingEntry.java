package io.runtimestate.data;

import java.time.Duration;

/**
 * An entry that was delivered and not acknowledged.
 *
 * @param consumer who received it last
 * @param idle since then, or since its consumer extended or nacked it
 * @param deliveryCount how often it was delivered
 * @param nacked whether its consumer gave it back, so that any claim takes it
 */
public record PendingEntry(
    String id, String consumer, Duration idle, long deliveryCount, boolean nacked) {
  @Override
  public String toString() {
    return "PendingEntry";
  }
}
