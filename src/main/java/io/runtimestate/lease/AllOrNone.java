package io.runtimestate.lease;

import io.runtimestate.data.Utf8;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One acquisition of several locks: in byte order, so that callers who want the same keys in
 * another order cannot block each other, under one deadline.
 */
final class AllOrNone {
  private static final String CALL = "lock.acquireAll";
  private static final int MOST_KEYS = 64;

  private final Leases leases;
  private final List<String> keys;
  private final String owner;
  private final Duration ttl;
  private final Duration wait;
  private final long start = System.nanoTime();
  private final List<AutoRenewedLease> got = new ArrayList<>();
  private final Promise<Optional<MultiLease>> promise;

  AllOrNone(Leases leases, List<String> keys, String owner, Duration ttl, Duration waitUpTo) {
    this.leases = leases;
    this.owner = owner;
    this.ttl = ttl;
    this.wait = Waits.wait(CALL, waitUpTo);
    this.keys = checked(keys);
    this.promise = Callers.promise(leases.vertx());
  }

  private List<String> checked(List<String> given) {
    TreeSet<String> sorted = new TreeSet<>(Utf8.BYTE_ORDER);
    for (String key : Waits.present(CALL, "keys", given)) {
      sorted.add(new LockOperation.TryAcquire(key, owner, ttl).key());
    }
    if (sorted.isEmpty() || sorted.size() > MOST_KEYS) {
      throw Waits.invalid(CALL + ": keys must have 1 to " + MOST_KEYS + " distinct elements");
    }
    return List.copyOf(sorted);
  }

  Future<Optional<MultiLease>> acquire() {
    next();
    return promise.future();
  }

  private void next() {
    if (got.size() == keys.size()) {
      promise.complete(Optional.of(new MultiLease(leases.vertx(), got)));
    } else {
      leases
          .hold(keys.get(got.size()), owner, ttl, timeLeft())
          .onComplete(this::acquired, this::giveBack);
    }
  }

  private void acquired(Optional<AutoRenewedLease> lease) {
    lease.ifPresent(got::add);
    if (lease.isPresent()) {
      next();
    } else {
      giveBack(null);
    }
  }

  /** All those held, before anybody is told that not all could be had. */
  private void giveBack(Throwable failure) {
    MultiLease.release(leases.vertx(), got)
        .onComplete(
            released -> {
              if (failure == null) {
                promise.complete(Optional.empty());
              } else {
                promise.fail(failure);
              }
            });
  }

  private Duration timeLeft() {
    Duration left = wait.minusNanos(System.nanoTime() - start);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
