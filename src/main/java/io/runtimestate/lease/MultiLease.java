package io.runtimestate.lease;

import io.runtimestate.data.LossReason;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Several locks that are held together, each renewed every third of its time. If one is lost, the
 * others stay held until {@link #release()}.
 */
public final class MultiLease {
  private final Vertx vertx;
  private final List<AutoRenewedLease> leases;

  MultiLease(Vertx vertx, List<AutoRenewedLease> leases) {
    this.vertx = vertx;
    this.leases = List.copyOf(leases);
  }

  /** One lease for each key, in byte order of the keys. */
  public List<AutoRenewedLease> leases() {
    return leases;
  }

  /** Whether all of them are certainly held. */
  public boolean isHeld() {
    return leases.stream().allMatch(AutoRenewedLease::isHeld);
  }

  /** How long all of them are certainly held if no further renewal succeeds. */
  public Duration remaining() {
    return leases.stream()
        .map(AutoRenewedLease::remaining)
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /**
   * Hears the first loss of any of them: once, on the context of the caller, soon if one is lost
   * already; never after {@link #release()}.
   */
  public MultiLease onLost(Handler<LossReason> handler) {
    AtomicBoolean told = new AtomicBoolean();
    leases.forEach(
        lease ->
            lease.onLost(
                reason -> {
                  if (told.compareAndSet(false, true)) {
                    handler.handle(reason);
                  }
                }));
    return this;
  }

  /**
   * Frees the locks, in the reverse of the order they were acquired in. Idempotent.
   *
   * @return whether all of them were still held
   */
  public Future<Boolean> release() {
    Promise<Boolean> released = Callers.promise(vertx);
    release(vertx, leases).onComplete(released);
    return released.future();
  }

  /** Releases all, one after the other from the last; fails, after the rest, if one failed. */
  static Future<Boolean> release(Vertx vertx, List<AutoRenewedLease> leases) {
    Future<Boolean> all = Callers.succeeded(vertx, true);
    for (int i = leases.size() - 1; i >= 0; i--) {
      AutoRenewedLease lease = leases.get(i);
      all =
          all.transform(
              before ->
                  lease
                      .release()
                      .compose(held -> and(vertx, before.cause(), before.result(), held)));
    }
    return all;
  }

  private static Future<Boolean> and(Vertx vertx, Throwable failure, Boolean before, Boolean held) {
    return failure == null
        ? Callers.succeeded(vertx, before && held)
        : Callers.failed(vertx, failure);
  }

  @Override
  public String toString() {
    return "MultiLease";
  }
}
