package io.runtimestate.memory;

import io.runtimestate.data.PermitDecision;
import io.runtimestate.data.PermitHolder;
import io.runtimestate.data.PermitUsage;
import io.runtimestate.data.Utf8;
import io.runtimestate.memory.table.Entry;
import io.runtimestate.memory.table.PermitEntry;
import io.runtimestate.memory.table.SemaphoreTable;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.operation.SemaphoreOperation.Holders;
import io.runtimestate.operation.SemaphoreOperation.Release;
import io.runtimestate.operation.SemaphoreOperation.Renew;
import io.runtimestate.operation.SemaphoreOperation.Snapshot;
import io.runtimestate.operation.SemaphoreOperation.TryAcquire;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Semaphores in memory. */
final class SemaphoreHandlers {
  private static final Comparator<Entry> BY_END_THEN_TOKEN =
      Comparator.comparingLong(Entry::deadline).thenComparing(Entry::key, Utf8.BYTE_ORDER);

  private final SemaphoreTable semaphores;
  private final MemoryClock clock;

  SemaphoreHandlers(Store store) {
    this.semaphores = store.semaphores;
    this.clock = store.clock;
  }

  void register(Owner owner) {
    owner.on(TryAcquire.class, this::tryAcquire);
    owner.on(Renew.class, this::renew);
    owner.on(Release.class, this::release);
    owner.on(Snapshot.class, this::snapshot);
    owner.on(Holders.class, this::holders);
  }

  private PermitDecision tryAcquire(TryAcquire acquire) {
    String token = acquire.permitToken();
    long deadline = clock.deadline(acquire.ttl());
    int inFlight =
        semaphores.tryAcquire(nameOf(acquire), token, acquire.limit(), deadline, clock.now());
    return inFlight == SemaphoreTable.SATURATED
        ? new PermitDecision.Saturated(acquire.gate(), acquire.limit())
        : new PermitDecision.Granted(token, inFlight);
  }

  private boolean renew(Renew renew) {
    long deadline = clock.deadline(renew.ttl());
    return semaphores.renew(nameOf(renew), renew.token(), deadline, clock.now());
  }

  private boolean release(Release release) {
    return semaphores.release(nameOf(release), release.token(), clock.now());
  }

  private PermitUsage snapshot(Snapshot snapshot) {
    return PermitUsage.of(snapshot.limit(), semaphores.inFlight(nameOf(snapshot), clock.now()));
  }

  private List<PermitHolder> holders(Holders holders) {
    return semaphores.holders(nameOf(holders), clock.now()).stream()
        .sorted(BY_END_THEN_TOKEN)
        .map(this::shown)
        .toList();
  }

  private PermitHolder shown(PermitEntry permit) {
    Duration remaining = Duration.ofMillis(clock.millisUntil(permit.deadline()));
    return new PermitHolder(permit.key(), remaining);
  }

  /** One name for gate and resource; the length in front keeps different pairs apart. */
  private static String nameOf(SemaphoreOperation<?> operation) {
    String gate = operation.gate();
    return operation
        .resource()
        .map(resource -> gate.length() + ":" + gate + resource)
        .orElse("-" + gate);
  }
}
