package io.runtimestate.fault.run;

import io.runtimestate.lease.AutoRenewedLease;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Several who want one lock. */
final class LockLoad extends Load {
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofMillis(300);

  /** What all of them were given. */
  static final class Book {
    private final List<AutoRenewedLease> leases = new ArrayList<>();
    private long newest;

    /** Whether it is the only one that is held, and newer than all. */
    synchronized boolean add(AutoRenewedLease lease) {
      leases.removeIf(other -> !other.isHeld());
      boolean alone = leases.isEmpty() && lease.fencingToken() > newest;
      if (!lease.isHeld()) {
        return true; // its answer took longer than the lease
      }
      newest = Math.max(newest, lease.fencingToken());
      leases.add(lease);
      return alone;
    }
  }

  private final Book book;

  LockLoad(Place place, Book book) {
    super(place);
    this.book = book;
  }

  @Override
  Future<?> turn() {
    return call("lock.hold", WAIT.plus(TIMEOUT), () -> state.locks().hold("lock", "o", TTL, WAIT))
        .compose(lease -> lease.map(this::work).orElseGet(Future::succeededFuture));
  }

  private Future<?> work(AutoRenewedLease lease) {
    require(book.add(lease), "the lock had two holders, or its tokens do not grow");
    return vertx
        .timer(random.nextInt(1, 20))
        .compose(worked -> call("lock.release", lease::release));
  }

  @Override
  void verify() {
    Duration longEnough = TTL.plus(TIMEOUT);
    AutoRenewedLease last =
        Await.get(state.locks().hold("lock", "last", TTL, longEnough)).orElseThrow();
    require(book.add(last), "the lock had two holders in the end");
    Await.get(last.release());
  }
}
