package io.runtimestate.lease;

import io.runtimestate.data.LockHolder;
import io.runtimestate.data.LockLease;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.spi.Contended;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/** The wish for a lock. */
record LockContest(Leases leases, LockOperation.TryAcquire acquire) implements Contest<LockLease> {

  @Override
  public Contended line() {
    return new Contended.Lock(acquire.key());
  }

  @Override
  public String token() {
    return acquire.leaseToken();
  }

  @Override
  public String name() {
    return "lock.acquire";
  }

  @Override
  public long timeoutMillis() {
    return leases.commandTimeoutMillis();
  }

  @Override
  public boolean isExclusive() {
    return true;
  }

  @Override
  public Duration ttl() {
    return acquire.ttl();
  }

  @Override
  public Future<Optional<LockLease>> attempt(long timeoutMillis) {
    return leases.send(acquire, timeoutMillis);
  }

  @Override
  public Future<Optional<Duration>> timeLeft(long timeoutMillis) {
    return leases
        .send(new LockOperation.Holder(acquire.key()), timeoutMillis)
        .map(holder -> holder.map(LockHolder::remaining));
  }

  @Override
  public void withdraw() {
    leases.recall(acquire);
  }

  @Override
  public String toString() {
    return "LockContest";
  }
}
