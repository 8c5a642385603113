package io.runtimestate.lease;

import io.runtimestate.spi.Figures;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What this runtime keeps alive, by token, and what it has lost. Any thread. */
final class Holdings {
  /** The kinds, in the words of the figures. */
  static final String LOCK = "lock";

  static final String PERMIT = "permit";

  private final Map<String, Map<String, Upkeep>> kept =
      Map.of(LOCK, new ConcurrentHashMap<>(), PERMIT, new ConcurrentHashMap<>());
  private final Map<String, LongAdder> lost =
      Map.of(LOCK, new LongAdder(), PERMIT, new LongAdder());

  void add(String kind, String token, Upkeep upkeep) {
    kept.get(kind).put(token, upkeep);
  }

  void remove(String kind, String token) {
    kept.get(kind).remove(token);
  }

  void lost(String kind) {
    lost.get(kind).increment();
  }

  /** Somebody else than its keeper released a token: its keeper should not wait to be told. */
  void released(String kind, String token) {
    Map<String, Upkeep> ofKind = kept.get(kind);
    Upkeep upkeep = ofKind.isEmpty() ? null : ofKind.get(token);
    if (upkeep != null) {
      upkeep.releasedByOthers();
    }
  }

  List<Upkeep> all() {
    return kept.values().stream().map(Map::values).flatMap(Collection::stream).toList();
  }

  void addTo(Map<String, Long> figures) {
    figures.put(Figures.HELD_LEASES, (long) kept.get(LOCK).size());
    figures.put(Figures.HELD_PERMITS, (long) kept.get(PERMIT).size());
    lost.forEach((kind, count) -> figures.put(Figures.leasesLost(kind), count.sum()));
  }
}
