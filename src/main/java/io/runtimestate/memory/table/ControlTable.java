package io.runtimestate.memory.table;

import java.util.function.LongSupplier;

/**
 * The objects of one kind of the control tier, by name. An expired object is absent for every
 * purpose: it is dropped when somebody asks for it, or by the sweep.
 *
 * @param <E> the objects
 */
public final class ControlTable<E extends ControlEntry> {
  private final Dictionary<E> entries = new Dictionary<>();
  private final ExpiryIndex expiry;
  private final MemoryBudget budget;
  private final LongSupplier now;
  private long expirations;

  /**
   * @param now the owner's clock in nanoseconds; the same for the whole of one operation
   */
  public ControlTable(ExpiryIndex expiry, MemoryBudget budget, LongSupplier now) {
    this.expiry = expiry;
    this.budget = budget;
    this.now = now;
  }

  /** The live object of that name, or null. */
  public E find(String name) {
    E entry = entries.get(name);
    if (entry == null || entry.deadline > now.getAsLong()) {
      return entry;
    }
    expire(entry);
    return null;
  }

  /** Adds an object under a name that is free. */
  public void add(E entry) {
    entries.add(entry);
    budget.add(entry.bytes());
  }

  /** Removes an object that is in the table. */
  public void remove(E entry) {
    expiry.cancel(entry);
    entries.remove(entry);
    budget.add(-entry.bytes());
    entry.removed();
  }

  /** Sets or moves the deadline of an object. */
  public void schedule(E entry, long deadline) {
    if (entry.deadline != deadline) {
      expiry.schedule(entry, deadline);
    }
  }

  /** How many objects are stored; expired ones count until they are dropped. */
  public int size() {
    return entries.size();
  }

  /** How many objects were dropped because their deadline had passed. */
  public long expirations() {
    return expirations;
  }

  /** The estimate of bytes in use. */
  public MemoryBudget budget() {
    return budget;
  }

  @SuppressWarnings("unchecked") // an entry's home is the table of its kind
  void expire(ControlEntry entry) {
    expirations++;
    remove((E) entry);
  }
}
