package io.runtimestate.data;

import java.util.Map;

/**
 * An entry as a consumer receives it.
 *
 * @param id its canonical id
 * @param fields in byte order of the names; never empty for entries appended by this library
 * @param deliveryCount how often it was delivered to a consumer of the group, this time included
 */
public record QueueEntry(String id, Map<String, String> fields, long deliveryCount) {
  /** Copies the map. */
  public QueueEntry {
    fields = Fields.of(fields);
  }

  @Override
  public String toString() {
    return "QueueEntry";
  }
}
