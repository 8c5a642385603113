package io.runtimestate.redis;

import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.data.LaneDiagnostics;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Meters and listeners of each kind of lane, over all servers. */
final class LaneKinds {
  private final Map<LaneKind, LaneEvents> kinds = new EnumMap<>(LaneKind.class);
  private final AtomicInteger blockedReads = new AtomicInteger();

  LaneKinds(Consumer<ConnectionEvent> listener) {
    for (LaneKind kind : LaneKind.LANES) {
      kinds.put(kind, new LaneEvents(kind, new LaneMeter(kind), listener));
    }
  }

  /** Counts reads that wait, for a lane or on one. */
  AtomicInteger blockedReads() {
    return blockedReads;
  }

  LaneEvents of(LaneKind kind) {
    return kinds.get(kind);
  }

  List<LaneDiagnostics> diagnostics() {
    return kinds.values().stream().map(kind -> kind.meter().diagnostics()).toList();
  }

  void addTo(Map<String, Long> figures) {
    kinds.values().forEach(kind -> kind.meter().addTo(figures));
  }
}
