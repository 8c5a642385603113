package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Guarded;
import io.runtimestate.data.LossReason;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.lease.AutoRenewedLease;
import io.runtimestate.lease.MultiLease;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.Footprint;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/** Locks that are kept. */
class LeaseContractTest {
  private static final Duration LONG = seconds(30);

  private static AutoRenewedLease hold(RuntimeState state, String key, Duration ttl) {
    return get(state.locks().hold(key, "o", ttl, seconds(5))).orElseThrow();
  }

  private static boolean isFree(RuntimeState state, String key) {
    return get(state.locks().holder(key)).isEmpty();
  }

  private static long renewals(RuntimeState state) {
    var renew = get(state.statistics()).operations().get("lock.renew");
    return renew == null ? 0 : renew.count();
  }

  /** Releases a lock from outside: the next renewal finds that it is gone. */
  private static void steal(RuntimeState other, AutoRenewedLease lease) {
    assertThat(get(other.locks().release(lease.lease()))).isTrue();
  }

  @EachBackend
  @DisplayName("C391 S01 a held lock is renewed until it is released, and not afterwards")
  void hold_isRenewed(Fixture f) {
    AutoRenewedLease lease = hold(f.state(), f.key("l"), ms(300));
    long fencing = lease.fencingToken();
    for (int i = 0; i < 15; i++) {
      f.pass(ms(100));
      assertThat(lease.isHeld()).isTrue();
      assertThat(lease.remaining()).isBetween(ms(1), ms(300));
      assertThat(get(f.second().locks().tryAcquire(f.key("l"), "x", LONG))).isEmpty();
    }
    assertThat(get(f.state().locks().holder(f.key("l"))).orElseThrow().fencingToken())
        .isEqualTo(fencing);
    assertThat(get(lease.release())).isTrue();
    assertThat(get(f.second().locks().tryAcquire(f.key("l"), "x", LONG))).isPresent();
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.remaining()).isZero();
    long sent = renewals(f.state());
    f.pass(seconds(1));
    assertThat(renewals(f.state())).isEqualTo(sent);
  }

  @EachBackend
  @DisplayName("C392 a lease that was taken away is lost within a third of its time, once")
  void lost_toOthers(Fixture f) {
    AutoRenewedLease lease = hold(f.state(), f.key("l"), ms(600));
    Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
    lease.onLost(losses::add);
    steal(f.second(), lease);
    var other = get(f.second().locks().tryAcquire(f.key("l"), "x", LONG)).orElseThrow();
    Await.until(() -> !losses.isEmpty(), ms(600), "the loss is told");
    assertThat(lease.isHeld()).isFalse();
    f.pass(ms(700));
    assertThat(losses).containsExactly(LossReason.OWNERSHIP_LOST);
    assertThat(get(lease.release())).isFalse();
    assertThat(get(f.state().locks().holder(f.key("l"))).orElseThrow().remaining())
        .isGreaterThan(seconds(20));
    assertThat(get(f.second().locks().release(other))).isTrue();
  }

  @EachBackend
  @DisplayName("C392 a release by others through the same runtime is noticed at once")
  void lost_toReleaseHere(Fixture f) {
    AutoRenewedLease lease = hold(f.state(), f.key("l"), LONG);
    Promise<LossReason> loss = Promise.promise();
    lease.onLost(loss::complete);
    steal(f.state(), lease);
    assertThat(get(loss.future())).isEqualTo(LossReason.OWNERSHIP_LOST);
    assertThat(lease.isHeld()).isFalse();
  }

  @EachBackend
  @DisplayName("C395 a loss is told to whoever asks later, on its context; a release never is")
  void onLost_later(Fixture f) {
    AutoRenewedLease lost = hold(f.state(), f.key("l"), LONG);
    steal(f.state(), lost);
    Await.until(() -> !lost.isHeld(), "lost");
    Context context = f.vertx().getOrCreateContext();
    Promise<Context> told = Promise.promise();
    AtomicInteger times = new AtomicInteger();
    context.runOnContext(
        now ->
            lost.onLost(
                reason -> {
                  times.incrementAndGet();
                  told.complete(Vertx.currentContext());
                }));
    assertThat(get(told.future())).isSameAs(context);
    AutoRenewedLease released = hold(f.state(), f.key("m"), LONG);
    released.onLost(reason -> times.addAndGet(100));
    Future<Boolean> first = released.release();
    Future<Boolean> second = released.release();
    assertThat(get(first)).isTrue();
    assertThat(get(second)).isTrue();
    assertThat(get(released.release())).isTrue();
    released.onLost(reason -> times.addAndGet(100));
    f.pass(ms(50));
    assertThat(times).hasValue(1);
  }

  @EachBackend
  @DisplayName("C396 M17 a busy caller keeps its lock, or knows that it does not")
  void hold_busyCaller(Fixture f) {
    Context context = f.vertx().getOrCreateContext();
    AtomicReference<AutoRenewedLease> lease = new AtomicReference<>();
    Promise<Boolean> stillHeld = Promise.promise();
    AtomicInteger losses = new AtomicInteger();
    context.runOnContext(
        now ->
            f.state()
                .locks()
                .hold(f.key("l"), "o", ms(400), seconds(5))
                .onSuccess(
                    held -> {
                      lease.set(held.orElseThrow());
                      lease.get().onLost(reason -> losses.incrementAndGet());
                      f.pass(ms(800));
                      stillHeld.complete(lease.get().isHeld());
                    }));
    Await.until(() -> lease.get() != null, "held");
    boolean overlapped = false;
    while (!stillHeld.future().isComplete()) {
      boolean free = get(f.second().locks().tryAcquire(f.key("l"), "x", ms(20))).isPresent();
      overlapped |= free && lease.get().isHeld();
      f.pass(ms(5));
    }
    assertThat(overlapped).isFalse();
    if (!get(stillHeld.future())) {
      Await.until(() -> losses.get() == 1, "the loss is told");
    }
    get(lease.get().release());
  }

  @EachBackend
  @DisplayName("C397 M01 thousands of leases that are released at once leave nothing")
  void hold_andRelease(Fixture f) {
    RuntimeState state = f.state();
    for (int i = 0; i < 30; i++) { // makes the lanes, to all servers, of the loop that keeps leases
      get(hold(state, f.key("l" + i), LONG).release());
    }
    Footprint before = f.footprint();
    int rounds = f.kind() == DoorKind.MEMORY ? 10_000 : 2_000;
    List<Future<Boolean>> releases = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      releases.add(
          state
              .locks()
              .hold(f.key("l" + i % 5_000), "o", ms(300), seconds(20))
              .compose(lease -> lease.orElseThrow().release()));
      if (i % 1_000 == 999) { // on a slow machine some have ended before they are released
        releases.forEach(Await::get);
      }
    }
    long sent = renewals(state);
    f.pass(ms(500));
    assertThat(renewals(state)).isEqualTo(sent);
    assertThat(isFree(state, f.key("l7"))).isTrue();
    if (f.kind() != DoorKind.BUS) {
      assertThat(get(state.statistics()).heldLeases()).isZero();
    }
    f.awaitReturn(before);
  }

  @EachBackend
  @DisplayName("C398 withLock gives what the work gives, and frees the lock whatever happens")
  void withLock_outcomes(Fixture f) {
    assertThat(get(guarded(f, () -> Future.succeededFuture(7)))).isEqualTo(new Guarded.Ran<>(7));
    assertThat(isFree(f.state(), f.key("l"))).isTrue();
    assertThat(get(guarded(f, () -> Future.succeededFuture(null))).isRan()).isTrue();
    Exception failure = new Exception("work");
    assertThat(Await.failure(guarded(f, () -> Future.failedFuture(failure)))).isSameAs(failure);
    assertThat(isFree(f.state(), f.key("l"))).isTrue();
    RuntimeException thrown = new IllegalStateException("work");
    Future<?> throwing =
        guarded(
            f,
            () -> {
              throw thrown;
            });
    assertThat(Await.failure(throwing)).isSameAs(thrown);
    assertThat(isFree(f.state(), f.key("l"))).isTrue();
    assertThat(Fails.failure(guarded(f, () -> null)).code()).isEqualTo(FailureCode.INTERNAL);
    assertThat(isFree(f.state(), f.key("l"))).isTrue();
    get(f.state().locks().tryAcquire(f.key("l"), "x", LONG));
    AtomicInteger called = new AtomicInteger();
    Future<Guarded<Integer>> busy =
        f.state()
            .locks()
            .withLock(
                f.key("l"),
                "o",
                LONG,
                ms(100),
                lease -> Future.succeededFuture(called.incrementAndGet()));
    assertThat(get(busy)).isEqualTo(new Guarded.NotAcquired<>());
    assertThat(called).hasValue(0);
  }

  private static Future<Guarded<Integer>> guarded(Fixture f, Supplier<Future<Integer>> work) {
    return f.state().locks().withLock(f.key("l"), "o", LONG, LONG, lease -> work.get());
  }

  @EachBackend
  @DisplayName("C398 the work of withLock runs on the caller's context, holding the lock")
  void withLock_context(Fixture f) {
    Context context = f.vertx().getOrCreateContext();
    Promise<Context> worked = Promise.promise();
    context.runOnContext(
        now ->
            f.state()
                .locks()
                .withLock(
                    f.key("l"),
                    "o",
                    LONG,
                    LONG,
                    lease -> {
                      assertThat(lease.isHeld()).isTrue();
                      worked.complete(Vertx.currentContext());
                      return Future.succeededFuture();
                    }));
    assertThat(get(worked.future())).isSameAs(context);
  }

  @EachBackend
  @DisplayName("C399 withLock fails at once when the lock is lost, and drops the later result")
  void withLock_lost(Fixture f) {
    Promise<AutoRenewedLease> begun = Promise.promise();
    Promise<Integer> work = Promise.promise();
    Future<Guarded<Integer>> guarded =
        f.state()
            .locks()
            .withLock(
                f.key("l"),
                "o",
                LONG,
                LONG,
                lease -> {
                  begun.complete(lease);
                  return work.future();
                });
    steal(f.state(), get(begun.future()));
    RuntimeStateException failure = Fails.failure(guarded);
    assertThat(failure.code()).isEqualTo(FailureCode.LEASE_LOST);
    assertThat(failure.mayHaveBeenApplied()).isTrue();
    work.complete(7);
    assertThat(guarded.failed()).isTrue();
  }

  @EachBackend
  @DisplayName("C400 acquireAll takes all or none, and callers in other orders do not block")
  void acquireAll_noDeadlock(Fixture f) {
    List<String> one = List.of(f.key("c"), f.key("a"), f.key("b"), f.key("a"));
    List<String> other = List.of(f.key("b"), f.key("c"), f.key("a"));
    AtomicInteger inside = new AtomicInteger();
    List<Future<Boolean>> rounds = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      rounds.add(round(f.state(), one, inside));
      rounds.add(round(f.second(), other, inside));
    }
    rounds.forEach(round -> assertThat(Await.within(seconds(60), round)).isTrue());
    get(f.state().locks().tryAcquire(f.key("b"), "x", LONG));
    assertThat(get(f.state().locks().acquireAll(one, "o", LONG, ms(200)))).isEmpty();
    assertThat(isFree(f.state(), f.key("a"))).isTrue();
    assertThat(isFree(f.state(), f.key("c"))).isTrue();
  }

  private static Future<Boolean> round(
      RuntimeState state, List<String> keys, AtomicInteger inside) {
    return state
        .locks()
        .acquireAll(keys, "o", seconds(10), seconds(60))
        .compose(
            held -> {
              assertThat(inside.incrementAndGet()).isEqualTo(1);
              MultiLease lease = held.orElseThrow();
              assertThat(lease.leases()).hasSize(3);
              assertThat(lease.isHeld()).isTrue();
              inside.decrementAndGet();
              return lease.release();
            });
  }

  @EachBackend
  @DisplayName("C400 several locks are lost together, once; what is left is released")
  void acquireAll_lost(Fixture f) {
    List<String> keys = f.keys("k", 3);
    MultiLease held = get(f.state().locks().acquireAll(keys, "o", LONG, LONG)).orElseThrow();
    Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
    held.onLost(losses::add);
    assertThat(held.remaining()).isPositive();
    steal(f.state(), held.leases().get(1));
    steal(f.state(), held.leases().get(2));
    Await.until(() -> !losses.isEmpty(), "the loss is told");
    assertThat(held.isHeld()).isFalse();
    assertThat(isFree(f.state(), keys.get(0))).isFalse();
    assertThat(get(held.release())).isFalse();
    assertThat(isFree(f.state(), keys.get(0))).isTrue();
    assertThat(losses).hasSize(1);
  }

  @EachBackend
  @DisplayName("C400 acquireAll takes 1 to 64 keys")
  void acquireAll_arguments(Fixture f) {
    List<String> tooMany = IntStream.range(0, 65).mapToObj(i -> "k" + i).toList();
    assertInvalid(f.state().locks().acquireAll(List.of(), "o", LONG, LONG)).contains("keys");
    assertInvalid(f.state().locks().acquireAll(tooMany, "o", LONG, LONG)).contains("keys");
    assertInvalid(f.state().locks().acquireAll(null, "o", LONG, LONG)).contains("keys");
    assertInvalid(f.state().locks().acquireAll(List.of("a", " "), "o", LONG, LONG));
    MultiLease most =
        get(f.state().locks().acquireAll(f.keys("k", 64), "o", LONG, LONG)).orElseThrow();
    assertThat(get(most.release())).isTrue();
  }

  @EachBackend
  @DisplayName("C450 C451 held leases end with their runtime and are free at once")
  void close_releases(Fixture f) {
    RuntimeState state = f.open(f.options());
    Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
    List<AutoRenewedLease> leases = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      leases.add(hold(state, "l" + i, LONG).onLost(losses::add));
    }
    Footprint before = f.footprint();
    get(state.close());
    Await.until(() -> losses.size() == 20, "all hear it");
    assertThat(losses).containsOnly(LossReason.RUNTIME_CLOSED);
    assertThat(leases).noneMatch(AutoRenewedLease::isHeld);
    get(leases.get(0).release());
    f.pass(ms(50));
    assertThat(losses).hasSize(20);
    if (f.kind() != DoorKind.BUS) { // the bus keeps the timers of requests
      f.awaitReturn(before);
    }
  }
}
