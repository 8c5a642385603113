package io.runtimestate.lease;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.LockLease;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.redis.RedisBackend;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/**
 * Two runtimes on one Redis, of which the second one waits. Its pauses are so long that only a
 * notice can make it try again.
 */
final class TwoRuntimes implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long NEVER_MILLIS = 3_600_000;

  final StateBackend holder;
  final InterceptedDoor waiter;
  final Leases leases;

  TwoRuntimes(Vertx vertx, RuntimeStateOptions options) {
    this(vertx, options, options, new Pauses(NEVER_MILLIS, NEVER_MILLIS));
  }

  TwoRuntimes(
      Vertx vertx, RuntimeStateOptions ofHolder, RuntimeStateOptions ofWaiter, Pauses pauses) {
    holder = get(RedisBackend.open(vertx, ofHolder));
    waiter = new InterceptedDoor(get(RedisBackend.open(vertx, ofWaiter)));
    leases = new Leases(vertx, waiter, true, () -> pauses);
  }

  LockLease takeLock(String key) {
    return get(holder.execute(new LockOperation.TryAcquire(key, "o", LONG))).orElseThrow();
  }

  void release(LockLease lease) {
    assertThat(get(holder.execute(new LockOperation.Release(lease)))).isTrue();
  }

  Future<Boolean> releaseHere(LockLease lease) {
    return leases.door().execute(new LockOperation.Release(lease));
  }

  Future<Optional<LockLease>> waitForLock(String key) {
    return leases.acquire(key, "w", LONG, LONG);
  }

  /** Takes the only permit; what releases it. */
  SemaphoreOperation.Release takePermit(String gate, String resource) {
    var acquire = new SemaphoreOperation.TryAcquire(gate, Optional.ofNullable(resource), 1, LONG);
    assertThat(get(holder.execute(acquire)).isGranted()).isTrue();
    return new SemaphoreOperation.Release(gate, acquire.resource(), acquire.permitToken());
  }

  Future<Optional<Permit>> waitForPermit(String gate, String resource) {
    return leases.semaphore(new SemaphoreOptions(gate, 1).setResource(resource)).acquire(LONG);
  }

  long attempts() {
    return waiter.asked(LockOperation.TryAcquire.class);
  }

  void awaitAttempts(long number) {
    Await.until(() -> attempts() >= number, "attempt " + number);
    assertThat(attempts()).isEqualTo(number);
  }

  /** How many were refused and have asked for the time left. */
  long refusals() {
    return waiter.asked(LockOperation.Holder.class)
        + waiter.asked(SemaphoreOperation.Holders.class);
  }

  void awaitRefusals(long number) {
    Await.until(() -> refusals() >= number, "refusal " + number);
  }

  long heard() {
    return waiter.figures().get(Figures.RELEASES_HEARD);
  }

  /** Until the channel is subscribed to, or is not any more. */
  void awaitNotices(boolean come) {
    Await.until(() -> noticesCome() == come, "notices come: " + come);
  }

  boolean noticesCome() {
    return waiter.figures().get(Figures.NOTICES) == 1;
  }

  @Override
  public void close() {
    get(leases.close());
    get(waiter.close());
    get(holder.close());
  }
}
