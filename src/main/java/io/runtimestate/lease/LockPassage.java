package io.runtimestate.lease;

import io.runtimestate.data.LockHolder;
import io.runtimestate.data.LockLease;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.operation.LockOperation.TryAcquire;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.Contended;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/** Locks at the door. */
final class LockPassage extends Passage<TryAcquire, Optional<LockLease>> {
  private static final long ANY_FENCING_TOKEN = 1; // renewals and releases go by the other one

  private final Holdings holdings;

  LockPassage(StateBackend inner, Lines lines, Recalls recalls, Holdings holdings) {
    super(inner, lines, recalls);
    this.holdings = holdings;
  }

  @Override
  Contended lineOf(TryAcquire acquire) {
    return new Contended.Lock(acquire.key());
  }

  @Override
  String tokenOf(TryAcquire acquire) {
    return acquire.leaseToken();
  }

  @Override
  Duration ttlOf(TryAcquire acquire) {
    return acquire.ttl();
  }

  @Override
  boolean isGranted(Optional<LockLease> answer) {
    return answer.isPresent();
  }

  @Override
  Optional<LockLease> busy(TryAcquire acquire) {
    return Optional.empty();
  }

  @Override
  Optional<LockLease> received(Optional<LockLease> granted, long sentNanos) {
    return granted.map(lease -> lease.sentAt(sentNanos));
  }

  @Override
  Operation<Boolean> renewalOf(TryAcquire acquire) {
    return new LockOperation.Renew(acquire.lease(ANY_FENCING_TOKEN), acquire.ttl());
  }

  @Override
  Future<Optional<LockLease>> renewed(TryAcquire acquire, StateBackend door, long timeoutMillis) {
    return door.execute(new LockOperation.Holder(acquire.key()), timeoutMillis)
        .map(holder -> holder.filter(by -> isBy(acquire, by)).map(by -> lease(acquire, by)));
  }

  private static boolean isBy(TryAcquire acquire, LockHolder holder) {
    return holder.owner().equals(acquire.owner());
  }

  private static LockLease lease(TryAcquire acquire, LockHolder holder) {
    return acquire.lease(holder.fencingToken());
  }

  @Override
  Operation<Boolean> releaseOf(TryAcquire acquire) {
    return new LockOperation.Release(acquire.lease(ANY_FENCING_TOKEN));
  }

  @Override
  void released(Operation<Boolean> release) {
    holdings.released(Holdings.LOCK, lease(release).token());
  }

  @Override
  Contended lineOfRelease(Operation<Boolean> release) {
    return new Contended.Lock(lease(release).key());
  }

  private static LockLease lease(Operation<Boolean> release) {
    return ((LockOperation.Release) release).lease();
  }
}
