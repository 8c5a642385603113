package io.runtimestate.lease;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.LossReason;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.spi.Figures;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What happens when a door answers late, wrongly, twice or not at all. */
class LeasesTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final InterceptedDoor inner = new InterceptedDoor(vertx);
  private final Leases leases = new Leases(vertx, inner, true);
  private final Queue<LossReason> losses = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    get(leases.close());
    get(vertx.close());
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private void pass(long millis) {
    Promise<Void> passed = Promise.promise();
    vertx.setTimer(millis, id -> passed.complete());
    get(passed.future());
  }

  private static RuntimeStateException failure(FailureCode code, boolean applied) {
    return new RuntimeStateException(code, "injected", applied, null);
  }

  private AutoRenewedLease hold(long ttlMillis) {
    return get(leases.hold("l", "o", ms(ttlMillis), LONG)).orElseThrow().onLost(losses::add);
  }

  private boolean isFree() {
    return get(inner.store().execute(new LockOperation.Holder("l"))).isEmpty();
  }

  private Optional<LockLease> tryAcquire(LockOperation.TryAcquire acquire) {
    return get(leases.door().execute(acquire));
  }

  private <R> Future<R> later(Operation<R> operation, long millis) {
    Promise<R> answer = Promise.promise();
    vertx.setTimer(millis, id -> inner.store().execute(operation).onComplete(answer));
    return answer.future();
  }

  private <R> Future<R> answeredLate(Operation<R> operation, long millis) {
    Promise<R> answer = Promise.promise();
    Future<R> done = inner.store().execute(operation);
    vertx.setTimer(millis, id -> done.onComplete(answer));
    return answer.future();
  }

  @Test
  @DisplayName("C422 a renewal that fails is tried again and costs nothing")
  void renewal_failsOnce() {
    AtomicInteger failures = new AtomicInteger();
    AutoRenewedLease lease = hold(300);
    inner.script(
        operation ->
            operation instanceof LockOperation.Renew && failures.incrementAndGet() <= 2
                ? Future.failedFuture(failure(FailureCode.TIMED_OUT, true))
                : null);
    pass(700);
    assertThat(failures).hasValueGreaterThan(3);
    assertThat(lease.isHeld()).isTrue();
    assertThat(losses).isEmpty();
    assertThat(get(lease.release())).isTrue();
  }

  @Test
  @DisplayName("10.4 without answers a lease ends by local time, once, and is given back")
  void renewal_neverAnswers() {
    AutoRenewedLease lease = hold(200);
    inner.script(
        operation -> operation instanceof LockOperation.Renew ? Promise.promise().future() : null);
    pass(120);
    assertThat(lease.isHeld()).isTrue();
    Await.until(() -> !losses.isEmpty(), ms(400), "the loss is told");
    assertThat(losses).containsExactly(LossReason.EXPIRED);
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.remaining()).isZero();
    Await.until(this::isFree, ms(500), "it is given back");
    assertThat(get(lease.release())).isFalse();
    assertThat(leases.door().figures())
        .containsEntry(Figures.leasesLost("lock"), 1L)
        .containsEntry(Figures.leasesLost("permit"), 0L)
        .containsEntry(Figures.HELD_LEASES, 0L);
  }

  @Test
  @DisplayName("10.4 a renewal that is confirmed too late revives nothing")
  void renewal_confirmedLate() {
    AutoRenewedLease lease = hold(200);
    inner.script(
        operation ->
            operation instanceof LockOperation.Renew ? answeredLate(operation, 250) : null);
    Await.until(() -> !lease.isHeld(), ms(400), "it ends");
    for (int i = 0; i < 30; i++) {
      pass(10);
      assertThat(lease.isHeld()).isFalse();
    }
    assertThat(losses).containsExactly(LossReason.EXPIRED);
  }

  @Test
  @DisplayName("M01 a release waits for the renewal on its way, and none follows it")
  void release_afterRenewal() {
    AutoRenewedLease lease = hold(300);
    Promise<Boolean> renewal = Promise.promise();
    inner.script(operation -> operation instanceof LockOperation.Renew ? renewal.future() : null);
    Await.until(() -> inner.asked(LockOperation.Renew.class) == 1, "a renewal is sent");
    Future<Boolean> release = lease.release();
    assertThat(lease.isHeld()).isFalse();
    pass(50);
    assertThat(inner.asked(LockOperation.Release.class)).isZero();
    renewal.complete(true);
    assertThat(get(release)).isTrue();
    pass(300);
    assertThat(inner.asked(LockOperation.Renew.class)).isEqualTo(1);
    assertThat(losses).isEmpty();
  }

  @Test
  @DisplayName("10.4 a release that fails gives the first answer for ever, and frees the lock")
  void release_fails() {
    AutoRenewedLease lease = hold(30_000);
    AtomicInteger releases = new AtomicInteger();
    inner.script(
        operation ->
            operation instanceof LockOperation.Release && releases.incrementAndGet() == 1
                ? Future.failedFuture(failure(FailureCode.UNAVAILABLE, true))
                : null);
    assertThat(Await.failure(lease.release())).hasMessageContaining("injected");
    assertThat(Await.failure(lease.release())).hasMessageContaining("injected");
    Await.until(this::isFree, "it is freed in the background");
  }

  @Test
  @DisplayName("11.3.3 a permit whose release failed can be released again")
  void release_permitAgain() {
    Semaphore semaphore = leases.semaphore(new SemaphoreOptions("g", 1));
    Permit permit = get(semaphore.tryAcquire()).orElseThrow();
    AtomicInteger releases = new AtomicInteger();
    inner.script(
        operation ->
            operation instanceof SemaphoreOperation.Release && releases.incrementAndGet() == 1
                ? Future.failedFuture(failure(FailureCode.UNAVAILABLE, true))
                : null);
    assertThat(Await.failure(permit.release())).hasMessageContaining("injected");
    assertThat(get(semaphore.snapshot()).inFlight()).isEqualTo(1);
    get(permit.release());
    assertThat(get(semaphore.snapshot()).inFlight()).isZero();
  }

  @Test
  @DisplayName("10.1 an answer that comes when the time is over is none, and is released")
  void acquire_answeredLate() {
    inner.script(
        operation ->
            operation instanceof LockOperation.TryAcquire ? answeredLate(operation, 150) : null);
    assertThat(tryAcquire(new LockOperation.TryAcquire("l", "o", ms(100)))).isEmpty();
    inner.script(operation -> null);
    LockOperation.TryAcquire slow = new LockOperation.TryAcquire("l", "o", LONG);
    LockLease lease = tryAcquire(slow).orElseThrow();
    assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(29));
  }

  @Test
  @DisplayName(
      "0.8.3 a failure that may have been applied is followed by a release, a plain one not")
  void acquire_recalled() {
    inner.script(
        operation ->
            operation instanceof LockOperation.TryAcquire
                ? inner
                    .store()
                    .execute(operation)
                    .compose(got -> Future.failedFuture(failure(FailureCode.TIMED_OUT, true)))
                : null);
    Operation<?> acquire = new LockOperation.TryAcquire("l", "o", LONG);
    Await.failure(leases.door().execute(acquire));
    Await.until(this::isFree, "it is released");
    long releases = inner.asked(LockOperation.Release.class);
    inner.script(
        operation ->
            operation instanceof LockOperation.TryAcquire
                ? Future.failedFuture(failure(FailureCode.OVERLOADED, false))
                : null);
    Await.failure(leases.door().execute(acquire));
    pass(100);
    assertThat(inner.asked(LockOperation.Release.class)).isEqualTo(releases);
  }

  @Test
  @DisplayName("B05 trying the same record again stops the release of what it may have got")
  void acquire_againAfterFailure() {
    AtomicInteger releases = new AtomicInteger();
    inner.script(
        operation -> {
          if (operation instanceof LockOperation.TryAcquire) {
            return inner
                .store()
                .execute(operation)
                .compose(got -> Future.failedFuture(failure(FailureCode.TIMED_OUT, true)));
          }
          boolean first =
              operation instanceof LockOperation.Release && releases.incrementAndGet() == 1;
          return first ? later(operation, 200) : null;
        });
    LockOperation.TryAcquire acquire = new LockOperation.TryAcquire("l", "o", LONG);
    Await.failure(leases.door().execute(acquire));
    Await.until(() -> releases.get() == 1, "the release is on its way");
    inner.script(operation -> null);
    assertThat(tryAcquire(acquire)).isPresent();
    pass(900);
    assertThat(isFree()).isFalse();
    assertThat(releases).hasValue(1);
  }

  @Test
  @DisplayName("0.6 waiting for the release of an earlier try takes no more than the timeout")
  void acquire_recallUnanswered() {
    inner.script(
        operation ->
            operation instanceof LockOperation.TryAcquire
                ? Future.failedFuture(failure(FailureCode.UNAVAILABLE, true))
                : Promise.promise().future());
    LockOperation.TryAcquire acquire = new LockOperation.TryAcquire("l", "o", LONG);
    Await.failure(leases.door().execute(acquire));
    Await.until(() -> inner.asked(LockOperation.Release.class) == 1, "its release is on its way");
    Throwable failure = Await.failure(ms(1_500), leases.door().execute(acquire, 300));
    assertThat(((RuntimeStateException) failure).code()).isEqualTo(FailureCode.TIMED_OUT);
    assertThat(((RuntimeStateException) failure).mayHaveBeenApplied()).isTrue();
    assertThat(inner.asked(LockOperation.TryAcquire.class)).isEqualTo(1);
    Await.until(() -> inner.asked(LockOperation.Release.class) == 2, "it is released again");
  }

  @Test
  @DisplayName("10.4 failures that may pass are tried again until the end, the last is returned")
  void acquire_failsUntilEnd() {
    inner.script(
        operation ->
            operation instanceof LockOperation.TryAcquire
                ? Future.failedFuture(failure(FailureCode.UNAVAILABLE, false))
                : null);
    long before = System.nanoTime();
    Throwable last = Await.failure(leases.acquire("l", "o", LONG, ms(300)));
    assertThat((System.nanoTime() - before) / 1_000_000).isBetween(299L, 600L);
    assertThat(((RuntimeStateException) last).code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(inner.asked(LockOperation.TryAcquire.class)).isBetween(4L, 20L);
    inner.script(
        operation ->
            operation instanceof LockOperation.TryAcquire
                ? Future.failedFuture(failure(FailureCode.UNEXPECTED_REPLY, true))
                : null);
    before = System.nanoTime();
    last = Await.failure(leases.acquire("l", "o", LONG, LONG));
    assertThat((System.nanoTime() - before) / 1_000_000).isLessThan(1_000);
    assertThat(((RuntimeStateException) last).code()).isEqualTo(FailureCode.UNEXPECTED_REPLY);
  }

  @Test
  @DisplayName("10.4 a door that throws ends one call, not the line")
  void acquire_doorThrows() {
    inner.script(
        operation -> {
          throw new IllegalStateException("defect");
        });
    Throwable defect = Await.failure(leases.acquire("l", "o", LONG, LONG));
    assertThat(((RuntimeStateException) defect).code()).isEqualTo(FailureCode.INTERNAL);
    inner.script(operation -> null);
    assertThat(get(leases.acquire("l", "o", LONG, LONG))).isPresent();
  }

  @Test
  @DisplayName("10.4 with releases elsewhere the front polls with pauses of 10 to 500 ms")
  void line_polls() {
    get(inner.store().execute(new LockOperation.TryAcquire("l", "other", LONG)));
    Future<Optional<LockLease>> wait = leases.acquire("l", "o", LONG, ms(1_500));
    for (int i = 0; i < 100; i++) {
      leases.acquire("l", "o", LONG, ms(1_500));
    }
    assertThat(get(wait)).isEmpty();
    assertThat(inner.asked(LockOperation.TryAcquire.class)).isBetween(6L, 20L);
  }

  @Test
  @DisplayName("3.10.2 a value whose lock was lost is given to the callers and not stored")
  void flight_lost() {
    inner.script(
        operation ->
            operation instanceof LockOperation.Renew ? Future.succeededFuture(false) : null);
    FlightOptions quick = FlightOptions.DEFAULT.withFlightTtl(ms(90));
    Promise<String> value = Promise.promise();
    Future<String> call = leases.getOrCompute("k", LONG, value::future, quick);
    pass(200);
    value.complete("v");
    assertThat(get(call)).isEqualTo("v");
    assertThat(inner.asked(KvOperation.Set.class)).isZero();
  }

  @Test
  @DisplayName("3.10.2 a store that fails does not fail the callers")
  void flight_notStored() {
    inner.script(
        operation ->
            operation instanceof KvOperation.Set
                ? Future.failedFuture(failure(FailureCode.CAPACITY_EXHAUSTED, false))
                : null);
    assertThat(get(leases.getOrCompute("k", LONG, () -> Future.succeededFuture("v"), null)))
        .isEqualTo("v");
  }

  @Test
  @DisplayName("3.10.4 a lock that cannot be asked for ends in TIMED_OUT")
  void flight_noLock() {
    inner.script(
        operation ->
            operation instanceof LockOperation.TryAcquire
                ? Future.failedFuture(failure(FailureCode.UNAVAILABLE, false))
                : null);
    Throwable failure =
        Await.failure(
            leases.getOrCompute(
                "k",
                LONG,
                () -> Future.succeededFuture("v"),
                FlightOptions.DEFAULT.withWaitUpTo(ms(100))));
    assertThat(((RuntimeStateException) failure).code()).isEqualTo(FailureCode.TIMED_OUT);
  }
}
