package io.runtimestate.lease;

import io.runtimestate.data.PermitDecision;
import io.runtimestate.data.PermitHolder;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.spi.Contended;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The wish for a permit. */
record PermitContest(Leases leases, SemaphoreOperation.TryAcquire acquire, long timeoutMillis)
    implements Contest<PermitGrant> {

  @Override
  public Contended line() {
    return PermitPassage.semaphoreOf(acquire);
  }

  @Override
  public String token() {
    return acquire.permitToken();
  }

  @Override
  public String name() {
    return "semaphore.acquire";
  }

  @Override
  public boolean isExclusive() {
    return false;
  }

  @Override
  public Duration ttl() {
    return acquire.ttl();
  }

  @Override
  public Future<Optional<PermitGrant>> attempt(long timeout) {
    long sent = System.nanoTime();
    return leases.send(acquire, timeout).map(decision -> granted(decision, sent));
  }

  private static Optional<PermitGrant> granted(PermitDecision decision, long sent) {
    return decision instanceof PermitDecision.Granted granted
        ? Optional.of(new PermitGrant(granted.inFlight(), sent))
        : Optional.empty();
  }

  @Override
  public Future<Optional<Duration>> timeLeft(long timeout) {
    return leases
        .send(new SemaphoreOperation.Holders(acquire.gate(), acquire.resource()), timeout)
        .map(this::untilFewerThanLimit);
  }

  /** Holders come by the end of their lease; others may have been granted under a higher limit. */
  private Optional<Duration> untilFewerThanLimit(List<PermitHolder> holders) {
    int surplus = holders.size() - acquire.limit();
    return surplus < 0 ? Optional.empty() : Optional.of(holders.get(surplus).remaining());
  }

  @Override
  public void withdraw() {
    leases.recall(acquire);
  }

  @Override
  public String toString() {
    return "PermitContest";
  }
}
