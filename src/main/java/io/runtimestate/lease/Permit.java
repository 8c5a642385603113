package io.runtimestate.lease;

import io.runtimestate.data.LossReason;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * A permit that is held and renewed until it is released.
 *
 * <p>It is healthy for the lease time counted from before the acquisition or the last confirmed
 * renewal was sent. A renewal that fails is tried again while that lasts; a confirmed loss or its
 * end makes the permit unhealthy for good. A permit that is dropped without being released is found
 * by the garbage collector and released in the background; one whose own loss handler refers to it
 * is never found.
 */
public final class Permit {
  private final Vertx vertx;
  private final Upkeep upkeep;

  Permit(Vertx vertx, Upkeep upkeep) {
    this.vertx = vertx;
    this.upkeep = upkeep;
  }

  /** Its identity: {@code <gate>:<uuid>}. */
  public String token() {
    return upkeep.token();
  }

  /** Whether it is certainly held; becomes false by local time alone if nobody answers. */
  public boolean isHealthy() {
    return upkeep.isHeld();
  }

  /** How long it is certainly held if no further renewal succeeds; zero when it is unhealthy. */
  public Duration remaining() {
    return upkeep.remaining();
  }

  /**
   * Hears that the permit was lost: once, on the context of the caller, soon if it is lost already;
   * never after {@link #release()}.
   */
  public Permit onLost(Handler<LossReason> handler) {
    upkeep.onLost(Callers.context(vertx), handler);
    return this;
  }

  /**
   * Stops renewing and gives the permit back. Idempotent; succeeds when the permit is gone already.
   * If it fails, the permit is not released and a further call tries again; one that is never
   * released ends with its lease.
   */
  public Future<Void> release() {
    Promise<Boolean> released = Callers.promise(vertx);
    upkeep.release(released);
    return released.future().mapEmpty();
  }

  Upkeep upkeep() {
    return upkeep;
  }

  @Override
  public String toString() {
    return "Permit";
  }
}
