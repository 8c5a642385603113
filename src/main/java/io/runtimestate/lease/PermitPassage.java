package io.runtimestate.lease;

import io.runtimestate.data.PermitDecision;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.operation.SemaphoreOperation.TryAcquire;
import io.runtimestate.spi.Contended;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import java.time.Duration;

/** Permits at the door. */
final class PermitPassage extends Passage<TryAcquire, PermitDecision> {
  private final Holdings holdings;

  PermitPassage(StateBackend inner, Lines lines, Recalls recalls, Holdings holdings) {
    super(inner, lines, recalls);
    this.holdings = holdings;
  }

  static Contended semaphoreOf(SemaphoreOperation<?> operation) {
    return new Contended.Semaphore(operation.gate(), operation.resource());
  }

  @Override
  Contended lineOf(TryAcquire acquire) {
    return semaphoreOf(acquire);
  }

  @Override
  String tokenOf(TryAcquire acquire) {
    return acquire.permitToken();
  }

  @Override
  Duration ttlOf(TryAcquire acquire) {
    return acquire.ttl();
  }

  @Override
  boolean isGranted(PermitDecision answer) {
    return answer.isGranted();
  }

  @Override
  PermitDecision busy(TryAcquire acquire) {
    return new PermitDecision.Saturated(acquire.gate(), acquire.limit());
  }

  @Override
  PermitDecision received(PermitDecision granted, long sentNanos) {
    return granted;
  }

  @Override
  Operation<Boolean> renewalOf(TryAcquire acquire) {
    return new SemaphoreOperation.Renew(
        acquire.gate(), acquire.resource(), acquire.permitToken(), acquire.ttl());
  }

  @Override
  Future<PermitDecision> renewed(TryAcquire acquire, StateBackend door, long timeoutMillis) {
    return door.execute(
            new SemaphoreOperation.Snapshot(acquire.gate(), acquire.resource(), acquire.limit()),
            timeoutMillis)
        .map(usage -> new PermitDecision.Granted(acquire.permitToken(), usage.inFlight()));
  }

  @Override
  Operation<Boolean> releaseOf(TryAcquire acquire) {
    return new SemaphoreOperation.Release(
        acquire.gate(), acquire.resource(), acquire.permitToken());
  }

  @Override
  void released(Operation<Boolean> release) {
    holdings.released(Holdings.PERMIT, ((SemaphoreOperation.Release) release).token());
  }

  @Override
  Contended lineOfRelease(Operation<Boolean> release) {
    return semaphoreOf((SemaphoreOperation.Release) release);
  }
}
