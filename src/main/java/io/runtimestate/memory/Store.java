package io.runtimestate.memory;

import io.runtimestate.config.MemoryOptions;
import io.runtimestate.config.ValuePolicy;
import io.runtimestate.data.StoreFigures;
import io.runtimestate.memory.table.DataType;
import io.runtimestate.memory.table.Entry;
import io.runtimestate.memory.table.ExpiryIndex;
import io.runtimestate.memory.table.Keyspace;
import io.runtimestate.memory.table.MemoryBudget;
import io.runtimestate.memory.table.Values;

/** All tables of one memory state. Touched by the owner's loop only. */
final class Store {
  private static final int SWEEP_BATCH = 1_000;

  final MemoryClock clock;
  final ExpiryIndex expiry = new ExpiryIndex();
  final MemoryBudget budget;
  final Keyspace keyspace;
  final Values values;

  Store(MemoryOptions options, MemoryClock clock) {
    this.clock = clock;
    this.budget = new MemoryBudget(maxBytes(options), this::reclaimOne);
    this.keyspace = new Keyspace(expiry, budget, clock::now);
    this.values =
        new Values(
            keyspace,
            options.getMaxValues(),
            options.getValuePolicy() == ValuePolicy.EVICT,
            this::reclaimOne);
  }

  private static long maxBytes(MemoryOptions options) {
    return options.getMaxBytes() == null ? Long.MAX_VALUE : options.getMaxBytes();
  }

  /** Drops one object whose deadline has passed; false if there is none. */
  boolean reclaimOne() {
    Entry expired = expiry.pollExpired(clock.now());
    if (expired != null) {
      expired.expire();
    }
    return expired != null;
  }

  /** Drops what has expired, a batch at most; true if more may be left. */
  boolean sweep() {
    clock.step();
    int dropped = 0;
    while (dropped < SWEEP_BATCH && reclaimOne()) {
      dropped++;
    }
    return dropped == SWEEP_BATCH;
  }

  /** Counts from any thread; see the SPI on what they promise. */
  StoreFigures figures() {
    return new StoreFigures(
        keyspace.count(DataType.VALUE),
        keyspace.count(DataType.SET),
        keyspace.count(DataType.SCORE),
        keyspace.count(DataType.STREAM),
        0,
        0,
        0,
        0,
        0,
        0,
        budget.used(),
        values.evictions(),
        keyspace.expirations());
  }
}
