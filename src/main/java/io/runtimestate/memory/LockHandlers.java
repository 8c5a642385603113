package io.runtimestate.memory;

import io.runtimestate.data.LockHolder;
import io.runtimestate.data.LockLease;
import io.runtimestate.memory.table.LockEntry;
import io.runtimestate.memory.table.LockTable;
import io.runtimestate.operation.LockOperation.Holder;
import io.runtimestate.operation.LockOperation.Release;
import io.runtimestate.operation.LockOperation.Renew;
import io.runtimestate.operation.LockOperation.TryAcquire;
import java.time.Duration;
import java.util.Optional;

/** Locks in memory. */
final class LockHandlers {
  private final LockTable locks;
  private final MemoryClock clock;

  LockHandlers(Store store) {
    this.locks = store.locks;
    this.clock = store.clock;
  }

  void register(Owner owner) {
    owner.on(TryAcquire.class, this::tryAcquire);
    owner.on(Renew.class, this::renew);
    owner.on(Release.class, this::release);
    owner.on(Holder.class, this::holder);
  }

  private Optional<LockLease> tryAcquire(TryAcquire acquire) {
    LockEntry entry =
        locks.acquire(
            acquire.key(),
            acquire.owner(),
            acquire.leaseToken(),
            clock.unixMicros(),
            clock.deadline(acquire.ttl()),
            clock.now());
    return entry == null ? Optional.empty() : Optional.of(acquire.lease(entry.fencingToken()));
  }

  private boolean renew(Renew renew) {
    LockLease lease = renew.lease();
    return locks.renew(lease.key(), lease.token(), clock.deadline(renew.ttl()), clock.now());
  }

  private boolean release(Release release) {
    LockLease lease = release.lease();
    return locks.release(lease.key(), lease.token(), clock.now());
  }

  private Optional<LockHolder> holder(Holder holder) {
    LockEntry entry = locks.find(holder.key(), clock.now());
    return Optional.ofNullable(entry).map(this::shown);
  }

  private LockHolder shown(LockEntry entry) {
    Duration remaining = Duration.ofMillis(clock.millisUntil(entry.deadline()));
    return new LockHolder(entry.owner(), entry.fencingToken(), remaining);
  }
}
