package io.runtimestate.data;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a runtime did since it was opened.
 *
 * @param operations by operation name, in alphabetical order; operations never called are left out
 * @param blockedReads reads waiting for an entry now
 * @param heldLeases auto-renewed lock leases held now by this runtime
 * @param heldPermits semaphore permits held now by this runtime
 * @param store what the backend holds; absent for Redis, which shares its store with others
 */
public record Statistics(
    Duration uptime,
    Map<String, OperationStatistics> operations,
    long blockedReads,
    long heldLeases,
    long heldPermits,
    Optional<StoreFigures> store) {
  /** Copies and sorts the map. */
  public Statistics {
    operations = Collections.unmodifiableMap(new TreeMap<>(operations));
  }
}
