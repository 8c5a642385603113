package io.runtimestate.memory.table;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The typed namespace of the data tier. An expired object is absent for every purpose: it is
 * dropped when somebody asks for it, or by the sweep.
 */
public final class Keyspace {
  private final Dictionary<DataEntry> entries = new Dictionary<>();
  private final ExpiryIndex expiry;
  private final MemoryBudget budget;
  private final LongSupplier now;
  private final int[] counts = new int[DataType.values().length];
  private long expirations;

  /**
   * @param now the owner's clock in nanoseconds; the same for the whole of one operation
   */
  public Keyspace(ExpiryIndex expiry, MemoryBudget budget, LongSupplier now) {
    this.expiry = expiry;
    this.budget = budget;
    this.now = now;
  }

  /** The live object of that name, or null. */
  public DataEntry find(String key) {
    DataEntry entry = entries.get(key);
    return entry == null || isLive(entry) ? entry : dropExpired(entry);
  }

  /**
   * The live object of that name and type, or null.
   *
   * @throws RuntimeStateException WRONG_TYPE if the live object is of another type
   */
  public <T extends DataEntry> T find(String key, Class<T> type) {
    DataEntry entry = find(key);
    if (entry != null && !type.isInstance(entry)) {
      throw wrongType();
    }
    return type.cast(entry);
  }

  /** The failure of an operation on a key of another type. */
  public static RuntimeStateException wrongType() {
    return new RuntimeStateException(FailureCode.WRONG_TYPE, "the key holds another type");
  }

  /** Adds an object under a name that is free. */
  public void add(DataEntry entry) {
    entry.home = this;
    entries.add(entry);
    counts[entry.type().ordinal()]++;
    budget.add(entry.bytes);
  }

  /** Removes an object that is in the keyspace. */
  public void remove(DataEntry entry) {
    expiry.cancel(entry);
    entries.remove(entry);
    counts[entry.type().ordinal()]--;
    budget.add(-entry.bytes);
    entry.removed();
  }

  /** Removes the live object of that name; false if there is none. */
  public boolean delete(String key) {
    DataEntry entry = find(key);
    if (entry != null) {
      remove(entry);
    }
    return entry != null;
  }

  /** Sets, moves or (with {@link Entry#NEVER}) removes the deadline of an object. */
  public void schedule(DataEntry entry, long deadline) {
    if (entry.deadline != deadline) {
      expiry.schedule(entry, deadline);
    }
  }

  /** How many objects of a type are stored; expired ones count until they are dropped. */
  public int count(DataType type) {
    return counts[type.ordinal()];
  }

  /** How many objects were dropped because their deadline had passed. */
  public long expirations() {
    return expirations;
  }

  /** The estimate of bytes in use. */
  public MemoryBudget budget() {
    return budget;
  }

  /** Visits the live objects of one position of a walk; see {@link Dictionary#scan}. */
  public long scan(long cursor, Consumer<? super DataEntry> visitor) {
    return entries.scan(
        cursor,
        entry -> {
          if (isLive(entry)) {
            visitor.accept(entry);
          }
        });
  }

  /** See {@link Dictionary#epoch}. */
  public int epoch() {
    return entries.epoch();
  }

  private boolean isLive(DataEntry entry) {
    return entry.deadline == Entry.NEVER || entry.deadline > now.getAsLong();
  }

  private DataEntry dropExpired(DataEntry entry) {
    expire(entry);
    return null;
  }

  void expire(DataEntry entry) {
    expirations++;
    remove(entry);
  }
}
