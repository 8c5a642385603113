package io.runtimestate.memory.table;

import io.runtimestate.data.Utf8;
import java.util.List;

/**
 * Permits by semaphore. A permit is an identity with a deadline, never a count; a semaphore without
 * permits leaves nothing behind.
 */
public final class SemaphoreTable {
  /** Estimated bytes of a permit beside its token: object, string, table slot, deadline. */
  public static final int PERMIT_OVERHEAD = 128;

  /** Estimated bytes of a semaphore beside its name: object, string, its tables. */
  public static final int SEMAPHORE_OVERHEAD = 256;

  /** The answer of a semaphore whose limit is reached. */
  public static final int SATURATED = -1;

  private final Dictionary<SemaphoreEntry> semaphores = new Dictionary<>();
  private final ExpiryIndex expiry;
  private final MemoryBudget budget;
  private int permits;
  private long expirations;

  /** A table without permits. */
  public SemaphoreTable(ExpiryIndex expiry, MemoryBudget budget) {
    this.expiry = expiry;
    this.budget = budget;
  }

  /**
   * Grants a permit if fewer than {@code limit} are held, or once more to a token that holds one.
   *
   * @return how many are held then, or {@link #SATURATED}
   * @throws io.runtimestate.data.RuntimeStateException CAPACITY_EXHAUSTED if there is no room;
   *     nothing has changed
   */
  public int tryAcquire(String name, String token, int limit, long deadline, long now) {
    SemaphoreEntry semaphore = find(name, now);
    PermitEntry permit = semaphore == null ? null : semaphore.find(token);
    if (permit == null && size(semaphore) >= limit) {
      return SATURATED;
    }
    PermitEntry granted = permit == null ? add(semaphore, name, token) : permit;
    schedule(granted, deadline);
    return granted.semaphore.size();
  }

  /** Moves the end of a live permit; false if it is not live. */
  public boolean renew(String name, String token, long deadline, long now) {
    PermitEntry permit = find(name, token, now);
    if (permit != null) {
      schedule(permit, deadline);
    }
    return permit != null;
  }

  /** Takes a permit back; false if it is not live. */
  public boolean release(String name, String token, long now) {
    PermitEntry permit = find(name, token, now);
    if (permit != null) {
      remove(permit);
      settle(permit.semaphore);
    }
    return permit != null;
  }

  /** How many permits of a semaphore are live. */
  public int inFlight(String name, long now) {
    return size(find(name, now));
  }

  /** The live permits of a semaphore, in no order. */
  public List<PermitEntry> holders(String name, long now) {
    SemaphoreEntry semaphore = find(name, now);
    return semaphore == null ? List.of() : semaphore.all();
  }

  /** How many permits are stored; expired ones count until they are dropped. */
  public int permits() {
    return permits;
  }

  /** How many permits were dropped because their lease had ended. */
  public long expirations() {
    return expirations;
  }

  private static int size(SemaphoreEntry semaphore) {
    return semaphore == null ? 0 : semaphore.size();
  }

  /** The semaphore of that name without its expired permits; null if no permit is left. */
  private SemaphoreEntry find(String name, long now) {
    SemaphoreEntry semaphore = semaphores.get(name);
    if (semaphore == null || semaphore.earliest() > now) {
      return semaphore;
    }
    Entry expired = semaphore.pollExpired(now);
    while (expired != null) {
      expired.expire();
      expired = semaphore.pollExpired(now);
    }
    settle(semaphore);
    return semaphore.size() == 0 ? null : semaphore;
  }

  private PermitEntry find(String name, String token, long now) {
    SemaphoreEntry semaphore = find(name, now);
    return semaphore == null ? null : semaphore.find(token);
  }

  private PermitEntry add(SemaphoreEntry existing, String name, String token) {
    long bytes = (long) PERMIT_OVERHEAD + Utf8.length(token);
    long home = existing == null ? SEMAPHORE_OVERHEAD + Utf8.length(name) : 0;
    budget.require(bytes + home);
    // Making room may have expired what was there, but never a live permit of this semaphore.
    SemaphoreEntry semaphore = existing == null ? create(name, home) : existing;
    budget.add(bytes);
    permits++;
    PermitEntry permit = new PermitEntry(semaphore, token, bytes);
    semaphore.add(permit);
    return permit;
  }

  private SemaphoreEntry create(String name, long bytes) {
    SemaphoreEntry semaphore = new SemaphoreEntry(this, name, bytes);
    budget.add(bytes);
    semaphores.add(semaphore);
    return semaphore;
  }

  private void schedule(PermitEntry permit, long deadline) {
    permit.semaphore.schedule(permit, deadline);
    settle(permit.semaphore);
  }

  private void remove(PermitEntry permit) {
    permit.semaphore.remove(permit);
    permits--;
    budget.add(-permit.bytes);
  }

  void expire(PermitEntry permit) {
    expirations++;
    remove(permit);
  }

  /** Brings the semaphore's place in the store's index in line with its permits. */
  void settle(SemaphoreEntry semaphore) {
    if (semaphore.size() == 0) {
      expiry.cancel(semaphore);
      semaphores.remove(semaphore);
      budget.add(-semaphore.bytes);
    } else if (semaphore.deadline != semaphore.earliest()) {
      expiry.schedule(semaphore, semaphore.earliest());
    }
  }
}
