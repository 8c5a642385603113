package io.runtimestate.contract;

import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Guarded;
import io.runtimestate.data.LossReason;
import io.runtimestate.lease.Permit;
import io.runtimestate.lease.Semaphore;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.lease.SemaphoreSnapshot;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.Footprint;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/** Permits that are kept. */
class PermitContractTest {
  private static final Duration LONG = seconds(30);

  private static Semaphore semaphore(Fixture f, int limit) {
    return f.state().semaphores().semaphore(new SemaphoreOptions(f.key("g"), limit));
  }

  private static Semaphore quick(RuntimeState state, String gate, Duration ttl, Duration interval) {
    return state
        .semaphores()
        .semaphore(new SemaphoreOptions(gate, 1).setLeaseTtl(ttl).setRenewInterval(interval));
  }

  private static Permit acquire(Semaphore semaphore) {
    return get(semaphore.tryAcquire()).orElseThrow();
  }

  @EachBackend
  @DisplayName("C403 a permit excludes others until it is released")
  void tryAcquire_andRelease(Fixture f) {
    Semaphore semaphore = semaphore(f, 1);
    Permit permit = acquire(semaphore);
    assertThat(permit.isHealthy()).isTrue();
    assertThat(permit.token()).startsWith(f.key("g") + ":");
    assertThat(permit.remaining()).isBetween(seconds(10), LONG);
    assertThat(get(semaphore.tryAcquire())).isEmpty();
    get(permit.release());
    assertThat(permit.isHealthy()).isFalse();
    assertThat(get(semaphore.snapshot()).inFlight()).isZero();
    get(acquire(semaphore).release());
  }

  @EachBackend
  @DisplayName("C405 C407 C408 handles share holders; each counts what it saw")
  void snapshot_counts(Fixture f) {
    Semaphore semaphore = semaphore(f, 3);
    List<Permit> permits = List.of(acquire(semaphore), acquire(semaphore));
    assertThat(get(semaphore.snapshot()))
        .isEqualTo(new SemaphoreSnapshot(f.key("g"), Optional.empty(), 3, 2, 1, 2, 0));
    Semaphore other = f.second().semaphores().semaphore(new SemaphoreOptions(f.key("g"), 2));
    assertThat(get(other.tryAcquire())).isEmpty();
    assertThat(get(other.tryAcquire())).isEmpty();
    for (Permit permit : permits) {
      get(permit.release());
    }
    SemaphoreSnapshot after = get(other.snapshot());
    assertThat(after.rejected()).isEqualTo(2);
    assertThat(after.inFlight()).isZero();
    assertThat(get(semaphore.snapshot()).highWatermark()).isEqualTo(2);
  }

  @EachBackend
  @DisplayName("C412 a second release has no effect; renewal stops with the first")
  void release_twice(Fixture f) {
    Semaphore semaphore = quick(f.state(), f.key("g"), ms(600), ms(50));
    Permit permit = acquire(semaphore);
    f.pass(ms(200));
    AtomicInteger losses = new AtomicInteger();
    permit.onLost(reason -> losses.incrementAndGet());
    get(permit.release());
    long sent = renewals(f.state());
    Permit other = acquire(semaphore(f, 1));
    get(permit.release());
    get(permit.release());
    assertThat(get(semaphore.snapshot()).inFlight()).isEqualTo(1);
    f.pass(ms(200));
    assertThat(renewals(f.state())).isEqualTo(sent);
    assertThat(losses).hasValue(0);
    get(other.release());
  }

  private static long renewals(RuntimeState state) {
    var renew = get(state.statistics()).operations().get("semaphore.renew");
    return renew == null ? 0 : renew.count();
  }

  @EachBackend
  @DisplayName("C422 a permit is kept well beyond its lease")
  void permit_isRenewed(Fixture f) {
    Semaphore semaphore = quick(f.state(), f.key("g"), ms(600), ms(100));
    Permit permit = acquire(semaphore);
    AtomicInteger losses = new AtomicInteger();
    permit.onLost(reason -> losses.incrementAndGet());
    for (int i = 0; i < 15; i++) {
      f.pass(ms(100));
      assertThat(permit.isHealthy()).isTrue();
      assertThat(get(semaphore.snapshot()).inFlight()).isEqualTo(1);
    }
    assertThat(losses).hasValue(0);
    get(permit.release());
  }

  @EachBackend
  @DisplayName("C411 a permit taken away is lost, once, and stays unhealthy")
  void permit_lost(Fixture f) {
    Semaphore semaphore = quick(f.state(), f.key("g"), seconds(5), ms(50));
    Permit permit = acquire(semaphore);
    Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
    permit.onLost(losses::add);
    assertThat(get(f.second().semaphores().release(f.key("g"), null, permit.token()))).isTrue();
    Await.until(() -> !losses.isEmpty(), seconds(2), "the loss is told");
    long sent = renewals(f.state());
    f.pass(ms(200));
    assertThat(losses).containsExactly(LossReason.OWNERSHIP_LOST);
    assertThat(permit.isHealthy()).isFalse();
    assertThat(permit.remaining()).isZero();
    assertThat(renewals(f.state())).isEqualTo(sent);
    get(permit.release());
  }

  @EachBackend
  @DisplayName("C424 a waiter gets a permit that is released; a wait that ends counts once")
  void acquire_waits(Fixture f) {
    Semaphore semaphore = semaphore(f, 1);
    Permit held = acquire(semaphore);
    f.vertx().setTimer(100, id -> held.release());
    long before = System.nanoTime();
    Permit next = get(semaphore.acquire(seconds(2))).orElseThrow();
    assertThat((System.nanoTime() - before) / 1_000_000).isBetween(50L, 700L);
    assertThat(get(semaphore.snapshot()).rejected()).isZero();
    before = System.nanoTime();
    assertThat(get(semaphore.acquire(ms(300)))).isEmpty();
    assertThat((System.nanoTime() - before) / 1_000_000).isBetween(299L, 600L);
    assertThat(get(semaphore.snapshot()).rejected()).isEqualTo(1);
    get(next.release());
  }

  @EachBackend
  @DisplayName("C424 10.4 waiters for permits are served in order, as many as there is room for")
  void acquire_inOrder(Fixture f) {
    Semaphore semaphore = semaphore(f, 2);
    List<Permit> held = List.of(acquire(semaphore), acquire(semaphore));
    List<Integer> served = new CopyOnWriteArrayList<>();
    List<Permit> permits = new CopyOnWriteArrayList<>();
    List<Future<Optional<Permit>>> waits = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int number = i;
      waits.add(
          semaphore
              .acquire(LONG)
              .onSuccess(
                  permit -> {
                    served.add(number);
                    permits.add(permit.orElseThrow());
                  }));
    }
    f.pass(ms(50));
    held.forEach(permit -> get(permit.release()));
    Await.until(() -> permits.size() == 2, seconds(2), "two are served");
    f.pass(ms(50));
    assertThat(served).containsExactly(0, 1);
    permits.forEach(permit -> get(permit.release()));
    waits.forEach(Await::get);
    assertThat(served).containsExactly(0, 1, 2, 3);
    permits.forEach(permit -> get(permit.release()));
  }

  @EachBackend
  @DisplayName("11.2 withPermit works like withLock")
  void withPermit_outcomes(Fixture f) {
    Semaphore semaphore = semaphore(f, 1);
    assertThat(get(semaphore.withPermit(LONG, permit -> Future.succeededFuture(7))))
        .isEqualTo(new Guarded.Ran<>(7));
    assertThat(get(semaphore.snapshot()).inFlight()).isZero();
    assertThat(Fails.failure(semaphore.withPermit(LONG, permit -> null)).code())
        .isEqualTo(FailureCode.INTERNAL);
    assertThat(get(semaphore.snapshot()).inFlight()).isZero();
    assertThat(Fails.failure(semaphore.withPermit(LONG, null)).code())
        .isEqualTo(FailureCode.INVALID_INPUT);
    Promise<Permit> begun = Promise.promise();
    Future<Guarded<Void>> guarded =
        semaphore.withPermit(
            LONG,
            permit -> {
              begun.complete(permit);
              return Promise.<Void>promise().future();
            });
    assertThat(get(semaphore.withPermit(ms(50), permit -> Future.succeededFuture())))
        .isEqualTo(new Guarded.NotAcquired<>());
    String token = get(begun.future()).token();
    get(f.state().semaphores().release(f.key("g"), null, token));
    assertThat(Fails.failure(guarded).code()).isEqualTo(FailureCode.LEASE_LOST);
  }

  @EachBackend
  @DisplayName("C450 C451 held permits end with their runtime and are free at once")
  void close_releases(Fixture f) {
    var options = f.options();
    RuntimeState state = f.open(options);
    Semaphore semaphore = state.semaphores().semaphore(new SemaphoreOptions("g", 2_000));
    Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
    List<Future<Optional<Permit>>> permits = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      permits.add(semaphore.tryAcquire());
    }
    permits.forEach(permit -> get(permit).orElseThrow().onLost(losses::add));
    Future<Optional<Permit>> waiting =
        state.semaphores().semaphore(new SemaphoreOptions("g", 1)).acquire(LONG);
    Footprint before = f.footprint();
    get(state.close());
    assertThat(Fails.failure(waiting).code()).isEqualTo(FailureCode.CLOSED);
    Await.until(() -> losses.size() == 1_500, "all hear it");
    assertThat(losses).containsOnly(LossReason.RUNTIME_CLOSED);
    assertThat(Fails.failure(semaphore.tryAcquire()).code()).isEqualTo(FailureCode.CLOSED);
    assertThat(Fails.failure(semaphore.snapshot()).code()).isEqualTo(FailureCode.CLOSED);
    if (f.kind() != DoorKind.BUS) { // the bus keeps the timers of requests
      f.awaitReturn(before);
    }
    if (!f.isMemory()) {
      RuntimeState other = f.open(options);
      assertThat(get(other.semaphores().snapshot("g", null, 1)).inFlight()).isZero();
    }
  }

  @EachBackend
  @DisplayName("11.3.4 a permit that is dropped is given back")
  void permit_dropped(Fixture f) {
    Semaphore semaphore = quick(f.state(), f.key("g"), LONG, ms(20));
    get(semaphore.tryAcquire()).orElseThrow();
    Await.until(
        () -> {
          System.gc();
          return get(semaphore.snapshot()).inFlight() == 0;
        },
        seconds(10),
        "the permit is given back");
  }
}
