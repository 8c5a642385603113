package io.runtimestate.data;

import java.util.List;

/**
 * A consumer group.
 *
 * @param lastDeliveredId its position: delivery goes on with the first greater id
 * @param pending how many entries were delivered and not acknowledged
 * @param lag how many entries exist after the position; see {@link StreamStats#lag()}
 * @param consumers in byte order of the names
 */
public record GroupInfo(
    String name, String lastDeliveredId, long pending, long lag, List<ConsumerInfo> consumers) {
  /** Copies the list. */
  public GroupInfo {
    consumers = List.copyOf(consumers);
  }

  @Override
  public String toString() {
    return "GroupInfo";
  }
}
