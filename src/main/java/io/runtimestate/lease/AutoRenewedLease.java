package io.runtimestate.lease;

import io.runtimestate.data.LockLease;
import io.runtimestate.data.LossReason;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * A lock that is held and renewed every third of its time until it is released.
 *
 * <p>Renewals run on a context of the library, so a busy caller does not stop them. The lease is
 * valid for its time counted from before the last confirmed acquisition or renewal was sent. A
 * renewal that fails is tried again until validity ends. Once lost, it is never held again.
 *
 * <p>What it cannot promise: a process that is paused does not notice that its time is over. Check
 * {@link #isHeld()} right before acting, and let what you act on compare {@link #fencingToken()}.
 */
public final class AutoRenewedLease {
  private final Vertx vertx;
  private final LockLease lease;
  private final Upkeep upkeep;

  AutoRenewedLease(Vertx vertx, LockLease lease, Upkeep upkeep) {
    this.vertx = vertx;
    this.lease = lease;
    this.upkeep = upkeep;
  }

  /** The name of the lock. */
  public String key() {
    return lease.key();
  }

  /** Greater than that of every earlier lease of the same key; renewals keep it. */
  public long fencingToken() {
    return lease.fencingToken();
  }

  /** The lease as it was acquired; its own time does not know of renewals. */
  public LockLease lease() {
    return lease;
  }

  /** Whether it is certainly held; becomes false by local time alone if nobody answers. */
  public boolean isHeld() {
    return upkeep.isHeld();
  }

  /** How long it is certainly held if no further renewal succeeds; zero when it is not held. */
  public Duration remaining() {
    return upkeep.remaining();
  }

  /**
   * Hears that the lease was lost: once, on the context of the caller, soon if it is lost already;
   * never after {@link #release()}.
   */
  public AutoRenewedLease onLost(Handler<LossReason> handler) {
    upkeep.onLost(Callers.context(vertx), handler);
    return this;
  }

  /**
   * Stops renewing and frees the lock. Idempotent: later calls get the first answer.
   *
   * @return whether the lock was still held; false if it was lost. If it fails, the lock is freed
   *     in the background or ends with its time.
   */
  public Future<Boolean> release() {
    Promise<Boolean> released = Callers.promise(vertx);
    upkeep.release(released, true);
    return released.future();
  }

  Upkeep upkeep() {
    return upkeep;
  }

  @Override
  public String toString() {
    return "AutoRenewedLease";
  }
}
