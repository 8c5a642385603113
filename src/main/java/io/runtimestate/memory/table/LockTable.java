package io.runtimestate.memory.table;

import io.runtimestate.data.Utf8;

/**
 * The locks that are held. Nothing is kept of a lock that is free: fencing tokens come from one
 * counter for all names, which never falls behind unix time in microseconds, so that they grow over
 * restarts too.
 */
public final class LockTable {
  /** Estimated bytes of a lock beside its texts: object, strings, table slot, deadline. */
  public static final int OVERHEAD = 160;

  private final Dictionary<LockEntry> held = new Dictionary<>();
  private final ExpiryIndex expiry;
  private final MemoryBudget budget;
  private long lastFencingToken;
  private long expirations;

  /** A table without locks. */
  public LockTable(ExpiryIndex expiry, MemoryBudget budget) {
    this.expiry = expiry;
    this.budget = budget;
  }

  /** The live lock of that name, or null. */
  public LockEntry find(String key, long now) {
    LockEntry entry = held.get(key);
    if (entry != null && entry.deadline <= now) {
      expire(entry);
      return null;
    }
    return entry;
  }

  /**
   * Grants a lock that is free, or once more to the token that holds it.
   *
   * @param unixMicros below which no new fencing token may be
   * @return null if another token holds it
   * @throws io.runtimestate.data.RuntimeStateException CAPACITY_EXHAUSTED if there is no room;
   *     nothing has changed
   */
  public LockEntry acquire(
      String key, String owner, String token, long unixMicros, long deadline, long now) {
    LockEntry entry = find(key, now);
    if (entry == null) {
      entry = add(key, owner, token, unixMicros);
    } else if (!entry.token().equals(token)) {
      return null;
    }
    expiry.schedule(entry, deadline);
    return entry;
  }

  /** Moves the end of a live lease; false if the token holds none. */
  public boolean renew(String key, String token, long deadline, long now) {
    LockEntry entry = find(key, token, now);
    if (entry != null) {
      expiry.schedule(entry, deadline);
    }
    return entry != null;
  }

  /** Frees a lock; false if the token does not hold it. */
  public boolean release(String key, String token, long now) {
    LockEntry entry = find(key, token, now);
    if (entry != null) {
      remove(entry);
    }
    return entry != null;
  }

  /** How many locks are stored; expired ones count until they are dropped. */
  public int count() {
    return held.size();
  }

  /** How many locks were dropped because their lease had ended. */
  public long expirations() {
    return expirations;
  }

  private LockEntry find(String key, String token, long now) {
    LockEntry entry = find(key, now);
    return entry != null && entry.token().equals(token) ? entry : null;
  }

  private LockEntry add(String key, String owner, String token, long unixMicros) {
    long bytes = (long) OVERHEAD + Utf8.length(key) + Utf8.length(owner) + Utf8.length(token);
    budget.require(bytes);
    budget.add(bytes);
    lastFencingToken = Math.max(lastFencingToken + 1, unixMicros);
    LockEntry entry = new LockEntry(this, key, owner, token, lastFencingToken, bytes);
    held.add(entry);
    return entry;
  }

  private void remove(LockEntry entry) {
    expiry.cancel(entry);
    held.remove(entry);
    budget.add(-entry.bytes);
  }

  void expire(LockEntry entry) {
    expirations++;
    remove(entry);
  }
}
