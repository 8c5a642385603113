package io.runtimestate.memory;

import io.runtimestate.config.MemoryOptions;
import io.runtimestate.config.ValuePolicy;
import io.runtimestate.data.StoreFigures;
import io.runtimestate.memory.table.ControlTable;
import io.runtimestate.memory.table.DataType;
import io.runtimestate.memory.table.Entry;
import io.runtimestate.memory.table.ExpiryIndex;
import io.runtimestate.memory.table.Keyspace;
import io.runtimestate.memory.table.LockTable;
import io.runtimestate.memory.table.MemoryBudget;
import io.runtimestate.memory.table.RateCounter;
import io.runtimestate.memory.table.RateCounters;
import io.runtimestate.memory.table.SemaphoreTable;
import io.runtimestate.memory.table.Streams;
import io.runtimestate.memory.table.TokenBucket;
import io.runtimestate.memory.table.TokenBuckets;
import io.runtimestate.memory.table.UsageWindow;
import io.runtimestate.memory.table.UsageWindows;
import io.runtimestate.memory.table.Values;

/** All tables of one memory state. Touched by the owner's loop only. */
final class Store {
  private static final int SWEEP_STRIDE = 64; // steps between two looks at the clock
  private static final long SWEEP_NANOS = 1_000_000;

  final MemoryClock clock;
  final ExpiryIndex expiry = new ExpiryIndex();
  final MemoryBudget budget;
  final Keyspace keyspace;
  final Values values;
  final RateCounters counters;
  final TokenBuckets buckets;
  final UsageWindows windows;
  private final ControlTable<RateCounter> counterTable;
  private final ControlTable<TokenBucket> bucketTable;
  private final ControlTable<UsageWindow> windowTable;
  final Streams streams;
  final LockTable locks;
  final SemaphoreTable semaphores;

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
    this.counterTable = new ControlTable<>(expiry, budget, clock::now);
    this.bucketTable = new ControlTable<>(expiry, budget, clock::now);
    this.windowTable = new ControlTable<>(expiry, budget, clock::now);
    this.counters = new RateCounters(counterTable);
    this.buckets = new TokenBuckets(bucketTable);
    this.windows =
        new UsageWindows(windowTable, options.getMaxUsageWindows(), options.getMaxUsageEvents());
    this.streams = new Streams(keyspace);
    this.locks = new LockTable(expiry, budget);
    this.semaphores = new SemaphoreTable(expiry, budget);
  }

  private static long maxBytes(MemoryOptions options) {
    return options.getMaxBytes() == null ? Long.MAX_VALUE : options.getMaxBytes();
  }

  /** Drops one object whose deadline has passed; false if there is none. */
  boolean reclaimOne() {
    return expire(expiry.pollExpired(clock.now()));
  }

  private static boolean expire(Entry expired) {
    if (expired != null) {
      expired.expire();
    }
    return expired != null;
  }

  /** Drops what has expired, for about a millisecond; true if more may be left. */
  boolean sweep() {
    clock.step();
    long began = System.nanoTime();
    for (int steps = 1; expiry.isDue(clock.now()); steps++) {
      expire(expiry.settleFirst());
      if (steps % SWEEP_STRIDE == 0 && System.nanoTime() - began >= SWEEP_NANOS) {
        return true;
      }
    }
    return false;
  }

  /** Counts from any thread; see the SPI on what they promise. */
  StoreFigures figures() {
    return new StoreFigures(
        keyspace.count(DataType.VALUE),
        keyspace.count(DataType.SET),
        keyspace.count(DataType.SCORE),
        keyspace.count(DataType.STREAM),
        counterTable.size(),
        bucketTable.size(),
        windowTable.size(),
        windows.events(),
        locks.count(),
        semaphores.permits(),
        budget.used(),
        values.evictions(),
        expirations());
  }

  private long expirations() {
    return keyspace.expirations()
        + counterTable.expirations()
        + bucketTable.expirations()
        + windowTable.expirations()
        + locks.expirations()
        + semaphores.expirations();
  }
}
