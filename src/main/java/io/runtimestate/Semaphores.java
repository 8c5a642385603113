package io.runtimestate;

import io.runtimestate.data.PermitDecision;
import io.runtimestate.data.PermitHolder;
import io.runtimestate.data.PermitUsage;
import io.runtimestate.lease.Leases;
import io.runtimestate.lease.Semaphore;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.operation.SemaphoreOperation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Semaphores of leased permits. Each permit is an identity that ends with its lease, never a count,
 * so a holder that dies gives its place back, and nobody can give back what is not held.
 *
 * <p>A semaphore is a gate, or one resource behind a gate ({@code resource} null: the gate itself).
 * White space around a resource and a leading {@code admission:<gate>:} do not count. The limit
 * travels with each call: callers with other limits share the holders. Names are not blank and at
 * most 65 536 bytes of UTF-8.
 *
 * <p>Most callers want {@link #semaphore}, whose permits are renewed and can be waited for; the
 * other methods are the operations underneath.
 */
public final class Semaphores {
  private final Door door;
  private final Leases leases;

  Semaphores(Door door, Leases leases) {
    this.door = door;
    this.leases = leases;
  }

  /**
   * A handle on a semaphore; no I/O.
   *
   * @throws io.runtimestate.data.RuntimeStateException INVALID_CONFIGURATION if an option breaks
   *     its rule
   */
  public Semaphore semaphore(SemaphoreOptions options) {
    return leases.semaphore(options);
  }

  /**
   * Takes a permit if fewer than {@code limit} are held and nobody waits; one atomic step that
   * never waits. Nobody renews the permit.
   *
   * @param limit at least 1
   * @param ttl how long the permit lasts; not zero
   * @return {@code Saturated} if there is none, nothing is written then. A failure that may have
   *     been applied is followed by the release of what it may have got.
   */
  public Future<PermitDecision> tryAcquire(String gate, String resource, int limit, Duration ttl) {
    return door.call(
        () -> new SemaphoreOperation.TryAcquire(gate, Optional.ofNullable(resource), limit, ttl));
  }

  /** Lets a live permit last for {@code ttl} from now; false if it is not live. */
  public Future<Boolean> renew(String gate, String resource, String token, Duration ttl) {
    return door.call(
        () -> new SemaphoreOperation.Renew(gate, Optional.ofNullable(resource), token, ttl));
  }

  /** Gives a permit back; true if it was live. An expired or unknown one changes nothing. */
  public Future<Boolean> release(String gate, String resource, String token) {
    return door.call(
        () -> new SemaphoreOperation.Release(gate, Optional.ofNullable(resource), token));
  }

  /** How many permits are held, seen against a limit of at least 1. */
  public Future<PermitUsage> snapshot(String gate, String resource, int limit) {
    return door.call(
        () -> new SemaphoreOperation.Snapshot(gate, Optional.ofNullable(resource), limit));
  }

  /** All live permits, by the end of their lease, then in byte order of their tokens. */
  public Future<List<PermitHolder>> holders(String gate, String resource) {
    return door.call(() -> new SemaphoreOperation.Holders(gate, Optional.ofNullable(resource)));
  }
}
