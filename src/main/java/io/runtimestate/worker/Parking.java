package io.runtimestate.worker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Failed entries until they are due again. An entry can be claimed once it has been idle for {@code
 * minIdle}; so one that is due later is extended until only {@code minIdle} is left, and if the
 * worker dies meanwhile, others wait no longer than that.
 */
final class Parking {
  private static final int PLACES = 10_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final WorkerSettings settings;
  private final Map<String, Long> dueAt = new HashMap<>();

  Parking(WorkerSettings settings) {
    this.settings = settings;
  }

  /** Keeps an entry that failed at its so many-th delivery; without a place it waits minIdle. */
  void park(String id, long deliveryCount) {
    long delay = settings.retryDelay(deliveryCount);
    if (delay > settings.minIdle() && dueAt.size() < PLACES) {
      dueAt.put(id, System.nanoTime() + delay * NANOS_PER_MILLI);
    }
  }

  void forget(String id) {
    dueAt.remove(id);
  }

  /**
   * What has to be extended now. The last time an entry is, no more than {@code minIdle} is left
   * until it is due: so that it never comes early, and late by one heartbeat at most.
   */
  List<String> toKeep() {
    long lastCall =
        System.nanoTime() + (settings.minIdle() - settings.heartbeat()) * NANOS_PER_MILLI;
    List<String> kept = new ArrayList<>(dueAt.size());
    dueAt
        .entrySet()
        .removeIf(
            parked -> {
              boolean stays = parked.getValue() - lastCall > 0;
              if (stays) {
                kept.add(parked.getKey());
              }
              return !stays;
            });
    return kept;
  }
}
