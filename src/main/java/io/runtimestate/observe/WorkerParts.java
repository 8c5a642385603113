package io.runtimestate.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a worker contributes to the meters of its stream and group.
 *
 * @param stream the tag of the stream
 * @param group the tag of the group
 */
record WorkerParts(String stream, String group) {
  private static final String PREFIX = "runtime_state_worker_";

  List<MeterPart> of(WorkerFigures figures) {
    List<MeterPart> parts = new ArrayList<>();
    figures.messages().forEach((outcome, count) -> parts.add(part(messages(outcome), count)));
    parts.add(
        part(
            MeterId.counter(PREFIX + "groups_recreated", "stream", stream, "group", group),
            figures.groupsRecreated()));
    parts.add(
        part(
            MeterId.gauge(PREFIX + "in_flight", "stream", stream, "group", group),
            figures.inFlight()));
    return parts;
  }

  private MeterId messages(String outcome) {
    return MeterId.counter(
        PREFIX + "messages", "stream", stream, "group", group, "outcome", outcome);
  }

  private static MeterPart part(MeterId id, LongSupplier number) {
    return new MeterPart(id, number::getAsLong, MeterPart.NO_TIME);
  }

  @Override
  public String toString() {
    return "WorkerParts";
  }
}
