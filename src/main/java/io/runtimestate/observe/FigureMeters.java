package io.runtimestate.observe;

import io.runtimestate.spi.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which figures of a backend are shown, and as what; one that a backend does not have is not. */
final class FigureMeters {
  private static final List<String> FAMILIES =
      List.of(
          "values",
          "sets",
          "scores",
          "streams",
          "counters",
          "buckets",
          "windows",
          "events",
          "locks",
          "permits");
  private static final List<String> LEASES = List.of("lock", "permit");
  private static final List<String> LANES = List.of("fast", "control", "blocking", "admin");

  static final Map<String, MeterId> ALL = all();

  private FigureMeters() {}

  private static Map<String, MeterId> all() {
    Map<String, MeterId> all = new LinkedHashMap<>();
    FAMILIES.forEach(
        family ->
            all.put(
                Figures.store(family), MeterId.gauge("runtime_state_entries", "family", family)));
    all.put(Figures.store("bytes"), MeterId.gauge("runtime_state_bytes"));
    all.put(Figures.store("evictions"), MeterId.counter("runtime_state_evictions"));
    all.put(Figures.store("expirations"), MeterId.counter("runtime_state_expirations"));
    all.put(Figures.PENDING, MeterId.gauge("runtime_state_pending"));
    all.put(Figures.BLOCKED_READS, MeterId.gauge("runtime_state_blocked_reads"));
    all.put(Figures.TRIMMED_UNFINISHED, MeterId.counter("runtime_state_trimmed_unfinished"));
    LEASES.forEach(
        kind ->
            all.put(
                Figures.leasesLost(kind),
                MeterId.counter("runtime_state_leases_lost", "kind", kind)));
    LANES.forEach(lane -> lane(all, lane));
    return all;
  }

  private static void lane(Map<String, MeterId> all, String lane) {
    all.put(
        Figures.lane(lane, "connections"),
        MeterId.gauge("runtime_state_lane_connections", "lane", lane));
    all.put(
        Figures.lane(lane, "pending"), MeterId.gauge("runtime_state_lane_pending", "lane", lane));
    all.put(
        Figures.lane(lane, "reconnects"),
        MeterId.counter("runtime_state_reconnects", "lane", lane));
  }
}
