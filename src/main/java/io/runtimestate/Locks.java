package io.runtimestate;

import io.runtimestate.data.Guarded;
import io.runtimestate.data.LockHolder;
import io.runtimestate.data.LockLease;
import io.runtimestate.lease.AutoRenewedLease;
import io.runtimestate.lease.Leadership;
import io.runtimestate.lease.Leases;
import io.runtimestate.lease.MultiLease;
import io.runtimestate.operation.LockOperation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Locks: named, leased, fenced, not re-entrant.
 *
 * <p>Whoever holds the token of a lease holds the lock, until the lease ends: threads and owners'
 * names do not matter. Each lease has a fencing token, greater than that of every earlier lease of
 * the same key, also after restarts; a resource that refuses smaller ones than it has seen is safe
 * from holders that were paused. Keys and owners are not blank and at most 65 536 bytes of UTF-8;
 * lock names are no data keys.
 *
 * <p>{@link #tryAcquire} and {@link #acquire} give a lease that ends by itself and that nobody
 * renews. {@link #hold}, {@link #withLock}, {@link #acquireAll} and {@link #runAsLeader} renew it
 * every third of its time until it is released.
 *
 * <p>Callers of one runtime who wait for a key form a line, first come, first served; nobody
 * overtakes them, {@link #tryAcquire} neither. Between runtimes on one Redis there is no order.
 */
public final class Locks {
  private final Door door;
  private final Leases leases;

  Locks(Door door, Leases leases) {
    this.door = door;
    this.leases = leases;
  }

  /**
   * Acquires a lock if it is free and nobody waits for it; one atomic step that never waits.
   *
   * @param owner who acquires it, for {@link #holder}; the same owner is refused too
   * @param ttl how long the lease lasts; not zero
   * @return empty if it is not free. A failure that may have been applied is followed by the
   *     release of what it may have got.
   */
  public Future<Optional<LockLease>> tryAcquire(String key, String owner, Duration ttl) {
    return door.call(() -> new LockOperation.TryAcquire(key, owner, ttl));
  }

  /**
   * Lets a live lease last for {@code ttl} from now. Fencing token and lease object stay as they
   * are.
   *
   * @return false if the token holds no live lease; nothing is revived then
   */
  public Future<Boolean> renew(LockLease lease, Duration ttl) {
    return door.call(() -> new LockOperation.Renew(lease, ttl));
  }

  /** Ends a lease; true if its token held the lock, which is free now. */
  public Future<Boolean> release(LockLease lease) {
    return door.call(() -> new LockOperation.Release(lease));
  }

  /** Who holds a lock; empty if it is free. The answer may be outdated when it arrives. */
  public Future<Optional<LockHolder>> holder(String key) {
    return door.call(() -> new LockOperation.Holder(key));
  }

  /**
   * Waits for a lock. Nobody renews the lease.
   *
   * @param ttl how long the lease lasts; not zero
   * @param waitUpTo how long to wait; zero: one attempt
   * @return empty when the wait has ended. Failures that may pass are tried again until then, the
   *     last one is returned. Completes after {@code waitUpTo} and one command timeout at the
   *     latest.
   */
  public Future<Optional<LockLease>> acquire(
      String key, String owner, Duration ttl, Duration waitUpTo) {
    return door.run(() -> leases.acquire(key, owner, ttl, waitUpTo));
  }

  /**
   * Waits for a lock and renews it until it is released or lost.
   *
   * @return empty when the wait has ended; else as {@link #acquire}
   */
  public Future<Optional<AutoRenewedLease>> hold(
      String key, String owner, Duration ttl, Duration waitUpTo) {
    return door.run(() -> leases.hold(key, owner, ttl, waitUpTo));
  }

  /**
   * Works while a lock is held. The work runs on the caller's context; the lock is freed whatever
   * happens, and what the work throws is the failure. If the lock is lost meanwhile, the call fails
   * {@code LEASE_LOST} at once, marked as possibly applied, and a later result of the work is
   * dropped; the work itself hears of it through its lease only.
   *
   * @return {@code NotAcquired} when the wait has ended without the lock
   */
  public <T> Future<Guarded<T>> withLock(
      String key,
      String owner,
      Duration ttl,
      Duration waitUpTo,
      Function<AutoRenewedLease, Future<T>> work) {
    return door.run(() -> leases.withLock(key, owner, ttl, waitUpTo, work));
  }

  /**
   * Waits for several locks and renews them: all or, when the wait ends before, none. They are
   * acquired one after the other in byte order, so that callers with other orders cannot block each
   * other; meanwhile others see some of them held.
   *
   * @param keys 1 to 64 distinct ones; duplicates are dropped
   */
  public Future<Optional<MultiLease>> acquireAll(
      List<String> keys, String owner, Duration ttl, Duration waitUpTo) {
    return door.run(() -> leases.acquireAll(keys, owner, ttl, waitUpTo));
  }

  /**
   * Keeps trying for a lock, and runs a task each time it is held: over the whole store one at a
   * time, as long as leases hold. When the task's future ends, the lock is freed.
   *
   * @throws io.runtimestate.data.RuntimeStateException INVALID_INPUT if an argument breaks its rule
   */
  public Leadership runAsLeader(
      String key, String owner, Duration ttl, Function<AutoRenewedLease, Future<?>> task) {
    return leases.runAsLeader(key, owner, ttl, task);
  }
}
