package io.runtimestate.lease;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A semaphore as one handle sees it.
 *
 * @param limit of the handle
 * @param inFlight permits held now by anybody
 * @param available {@code limit - inFlight}, never below zero
 * @param highWatermark the largest number in flight that the handle has seen
 * @param rejected how often the handle got no permit; a wait that ended without one counts once
 */
public record SemaphoreSnapshot(
    String gate,
    Optional<String> resource,
    int limit,
    int inFlight,
    int available,
    int highWatermark,
    long rejected) {

  /** The snapshot as four samples for a metrics system. */
  public List<Sample> samples() {
    Map<String, String> labels = labels();
    return List.of(
        new Sample("concurrency_in_flight", Sample.Kind.GAUGE, labels, inFlight),
        new Sample("concurrency_available_permits", Sample.Kind.GAUGE, labels, available),
        new Sample("concurrency_high_watermark", Sample.Kind.GAUGE, labels, highWatermark),
        new Sample("concurrency_rejected_total", Sample.Kind.COUNTER, labels, rejected));
  }

  private Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("gate", gate);
    resource.ifPresent(name -> labels.put("resource", name));
    return labels;
  }

  @Override
  public String toString() {
    return "SemaphoreSnapshot";
  }
}
