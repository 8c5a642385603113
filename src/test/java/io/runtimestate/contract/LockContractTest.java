package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Locks;
import io.runtimestate.RuntimeState;
import io.runtimestate.data.LockHolder;
import io.runtimestate.data.LockLease;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** The operations on locks. */
class LockContractTest {
  private static final Duration LONG = seconds(30);
  private static final Duration SEVEN_DAYS = Duration.ofDays(7);

  private static LockLease acquire(RuntimeState state, String key, String owner) {
    return get(state.locks().tryAcquire(key, owner, LONG)).orElseThrow();
  }

  private static boolean isBusy(RuntimeState state, String key) {
    return get(state.locks().tryAcquire(key, "another", LONG)).isEmpty();
  }

  @EachBackend
  @DisplayName("C367 fencing tokens grow from lease to lease")
  void fencing_grows(Fixture f) {
    LockLease first = acquire(f.state(), f.key("l"), "a");
    assertThat(get(f.state().locks().release(first))).isTrue();
    LockLease second = acquire(f.state(), f.key("l"), "a");
    assertThat(first.fencingToken()).isPositive();
    assertThat(second.fencingToken()).isGreaterThan(first.fencingToken()).isLessThan(1L << 53);
  }

  @EachBackend
  @DisplayName("C368 M05 a held lock is refused to others and to its owner alike")
  void tryAcquire_held(Fixture f) {
    acquire(f.state(), f.key("l"), "a");
    assertThat(get(f.state().locks().tryAcquire(f.key("l"), "b", LONG))).isEmpty();
    assertThat(get(f.state().locks().tryAcquire(f.key("l"), "a", LONG))).isEmpty();
  }

  @EachBackend
  @DisplayName("C369 of 32 attempts at once exactly one succeeds")
  void tryAcquire_concurrent(Fixture f) {
    List<Future<Optional<LockLease>>> attempts =
        IntStream.range(0, 32)
            .mapToObj(i -> f.state().locks().tryAcquire(f.key("l"), "o" + i, LONG))
            .toList();
    assertThat(attempts.stream().filter(attempt -> get(attempt).isPresent())).hasSize(1);
  }

  @EachBackend
  @DisplayName("C370 a renewal extends a lease")
  void renew_extends(Fixture f) {
    Locks locks = f.state().locks();
    LockLease lease = get(locks.tryAcquire(f.key("l"), "a", ms(900))).orElseThrow();
    f.pass(ms(150));
    assertThat(get(locks.renew(lease, seconds(5)))).isTrue();
    f.pass(ms(950));
    assertThat(isBusy(f.state(), f.key("l"))).isTrue();
    LockHolder holder = get(locks.holder(f.key("l"))).orElseThrow();
    assertThat(holder.fencingToken()).isEqualTo(lease.fencingToken());
  }

  @EachBackend
  @DisplayName("the token alone proves the right to renew and release")
  void token_decides(Fixture f) {
    Locks locks = f.state().locks();
    LockLease held = get(locks.tryAcquire(f.key("l"), "me", seconds(30))).orElseThrow();
    LockLease sameToken = new LockLease(f.key("l"), "x", held.token(), 1, seconds(30));
    LockLease otherToken = new LockLease(f.key("l"), "me", "me:other", 1, seconds(30));
    assertThat(get(locks.renew(otherToken, seconds(30)))).isFalse();
    assertThat(get(locks.release(otherToken))).isFalse();
    assertThat(get(locks.renew(sameToken, seconds(30)))).isTrue();
    assertThat(get(locks.release(sameToken))).isTrue();
    assertThat(get(locks.holder(f.key("l")))).isEmpty();
  }

  @EachBackend
  @DisplayName("C371 C383 M11 an old lease neither renews, revives nor releases")
  void oldLease_isPowerless(Fixture f) {
    Locks locks = f.state().locks();
    LockLease old = get(locks.tryAcquire(f.key("l"), "a", ms(200))).orElseThrow();
    f.pass(ms(240));
    assertThat(get(locks.renew(old, LONG))).isFalse();
    assertThat(get(locks.holder(f.key("l")))).isEmpty();
    LockLease current = acquire(f.state(), f.key("l"), "b");
    Duration before = get(locks.holder(f.key("l"))).orElseThrow().remaining();
    assertThat(get(locks.renew(old, seconds(1)))).isFalse();
    assertThat(get(locks.release(old))).isFalse();
    LockHolder holder = get(locks.holder(f.key("l"))).orElseThrow();
    assertThat(holder.owner()).isEqualTo("b");
    assertThat(holder.fencingToken()).isEqualTo(current.fencingToken());
    assertThat(holder.remaining()).isBetween(before.minus(seconds(5)), before);
  }

  @EachBackend
  @DisplayName("C372 a released lease is gone for good")
  void release_once(Fixture f) {
    Locks locks = f.state().locks();
    LockLease lease = acquire(f.state(), f.key("l"), "a");
    assertThat(get(locks.release(lease))).isTrue();
    assertThat(get(locks.release(lease))).isFalse();
    assertThat(get(locks.renew(lease, LONG))).isFalse();
    assertThat(get(locks.holder(f.key("l")))).isEmpty();
  }

  @EachBackend
  @DisplayName("C373 C382 blank names, durations that are no time and broken leases are refused")
  void arguments_refused(Fixture f) {
    Locks locks = f.state().locks();
    assertInvalid(locks.tryAcquire(" ", "a", LONG));
    assertInvalid(locks.tryAcquire(f.key("l"), "\u2003", LONG));
    assertInvalid(locks.tryAcquire(f.key("l"), "a", Duration.ZERO));
    assertInvalid(locks.tryAcquire(f.key("l"), "a", ms(-1)));
    LockLease lease = acquire(f.state(), f.key("l"), "a");
    assertInvalid(locks.renew(lease, Duration.ZERO));
    for (LockLease broken :
        List.of(
            new LockLease(" ", "a", lease.token(), 1, LONG),
            new LockLease(f.key("l"), " ", lease.token(), 1, LONG),
            new LockLease(f.key("l"), "a", " ", 1, LONG),
            new LockLease(f.key("l"), "a", lease.token(), 0, LONG))) {
      assertInvalid(locks.renew(broken, LONG));
      assertInvalid(locks.release(broken));
    }
    assertThat(isBusy(f.state(), f.key("l"))).isTrue();
  }

  @EachBackend
  @DisplayName("M05 a lock is owned by its lease: whichever thread has that can release it")
  void release_anyThread(Fixture f) throws InterruptedException {
    LockLease first = takenOnLoop(f);
    Promise<Boolean> byThread = Promise.promise();
    Thread thread = new Thread(() -> f.state().locks().release(first).onComplete(byThread));
    thread.start();
    thread.join();
    assertThat(get(byThread.future())).isTrue();
    LockLease second = takenOnLoop(f);
    Future<Future<Boolean>> byWorker =
        f.vertx().executeBlocking(() -> f.state().locks().release(second));
    assertThat(get(get(byWorker))).isTrue();
    LockLease third = takenOnLoop(f);
    Promise<Boolean> byVerticle = Promise.promise();
    String deployed =
        get(
            f.vertx()
                .deployVerticle(
                    context -> f.state().locks().release(third).onComplete(byVerticle)));
    assertThat(get(byVerticle.future())).isTrue();
    get(f.vertx().undeploy(deployed));
  }

  private static LockLease takenOnLoop(Fixture f) {
    Promise<Optional<LockLease>> taken = Promise.promise();
    f.vertx()
        .getOrCreateContext()
        .runOnContext(now -> f.state().locks().tryAcquire(f.key("l"), "a", LONG).onComplete(taken));
    return get(taken.future()).orElseThrow();
  }

  @EachBackend
  @DisplayName("C374 a lease tells key, owner, ttl and a token of its own")
  void lease_tellsAll(Fixture f) {
    LockLease first = acquire(f.state(), f.key("l"), "a:b");
    get(f.state().locks().release(first));
    LockLease second = acquire(f.state(), f.key("l"), "a:b");
    assertThat(first.token()).startsWith("a:b:").isNotEqualTo(second.token());
    assertThat(first.key()).isEqualTo(f.key("l"));
    assertThat(first.owner()).isEqualTo("a:b");
    assertThat(first.ttl()).isEqualTo(LONG);
    assertThat(first.remaining()).isBetween(seconds(10), LONG);
    assertThat(get(f.state().locks().holder(f.key("l"))).orElseThrow().owner()).isEqualTo("a:b");
  }

  @EachBackend
  @DisplayName("C375 C376 names that look alike are different locks, and no data keys")
  void names_independent(Fixture f) {
    String x = f.key("x");
    List<String> names = List.of(x, x + ":fencing", "fn:{" + x + "}", "{" + x + "}", x + "}~%");
    List<LockLease> leases = new ArrayList<>();
    names.forEach(name -> leases.add(acquire(f.state(), name, "a")));
    names.forEach(name -> assertThat(isBusy(f.state(), name)).as(name).isTrue());
    get(f.state().kv().set(x, "value", LONG));
    assertThat(get(f.state().kv().get(x))).contains("value");
    assertThat(get(f.state().keys().delete(x))).isTrue();
    leases.forEach(lease -> assertThat(get(f.state().locks().release(lease))).isTrue());
  }

  @EachBackend
  @DisplayName("C379 two handles on one store exclude each other")
  void handles_exclude(Fixture f) {
    LockLease lease = acquire(f.state(), f.key("l"), "a");
    assertThat(isBusy(f.second(), f.key("l"))).isTrue();
    assertThat(get(f.second().locks().release(lease))).isTrue();
    LockLease second = acquire(f.second(), f.key("l"), "b");
    assertThat(isBusy(f.state(), f.key("l"))).isTrue();
    assertThat(second.fencingToken()).isGreaterThan(lease.fencingToken());
  }

  @EachBackend
  @DisplayName("C380 the holder is shown without its token, until release or expiry")
  void holder_shown(Fixture f) {
    Locks locks = f.state().locks();
    assertThat(get(locks.holder(f.key("l")))).isEmpty();
    LockLease lease = get(locks.tryAcquire(f.key("l"), "o", ms(200))).orElseThrow();
    LockHolder holder = get(locks.holder(f.key("l"))).orElseThrow();
    assertThat(holder.owner()).isEqualTo("o");
    assertThat(holder.fencingToken()).isEqualTo(lease.fencingToken());
    assertThat(holder.remaining()).isBetween(ms(1), ms(200));
    assertThat(holder.toString() + lease).doesNotContain("o:");
    f.pass(ms(240));
    assertThat(get(locks.holder(f.key("l")))).isEmpty();
    get(locks.release(acquire(f.state(), f.key("l"), "o")));
    assertThat(get(locks.holder(f.key("l")))).isEmpty();
  }

  @EachBackend
  @DisplayName("C381 B05 the same record again answers the same lease and restarts its time")
  void tryAcquire_repeated(Fixture f) {
    LockOperation.TryAcquire acquire = new LockOperation.TryAcquire(f.key("l"), "a", ms(1_000));
    LockLease first = get(f.state().execute(acquire)).orElseThrow();
    f.pass(ms(600));
    LockLease again = get(f.state().execute(acquire)).orElseThrow();
    assertThat(again).isEqualTo(first);
    f.pass(ms(600));
    assertThat(isBusy(f.state(), f.key("l"))).isTrue();
    assertThat(get(f.state().locks().tryAcquire(f.key("l"), "a", LONG))).isEmpty();
    assertThat(get(f.state().locks().release(again))).isTrue();
    LockLease later = get(f.state().execute(acquire)).orElseThrow();
    assertThat(later.fencingToken()).isGreaterThan(first.fencingToken());
  }

  @EachBackend
  @DisplayName("B09 leases of a millisecond and of a hundred years work")
  void ttl_extremes(Fixture f) {
    Locks locks = f.state().locks();
    get(locks.tryAcquire(f.key("short"), "a", Duration.ofNanos(1)));
    f.pass(ms(40));
    LockLease longest =
        get(locks.tryAcquire(f.key("short"), "a", Duration.ofDays(36_525))).orElseThrow();
    assertThat(get(locks.renew(longest, Duration.ofDays(36_525)))).isTrue();
    assertThat(get(locks.holder(f.key("short"))).orElseThrow().remaining())
        .isGreaterThan(Duration.ofDays(36_524));
    assertThat(get(locks.release(longest))).isTrue();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C384 M07 M09 fencing outlasts the history; names used once leave nothing")
  void names_leaveNothing(Fixture f) {
    FakeClock clock = new FakeClock();
    RuntimeState state = f.open(f.options(), clock);
    LockLease before = acquire(state, "l", "a");
    get(state.locks().release(before));
    clock.advance(Duration.ofDays(8));
    LockLease after = acquire(state, "l", "a");
    assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
    get(state.locks().release(after));
    assertNamesLeaveNothing(state, 200_000);
  }

  @EachBackend(DoorKind.MEMORY)
  @Tag("soak")
  @DisplayName("C384 M07 a million names used once leave nothing")
  void names_million(Fixture f) {
    assertNamesLeaveNothing(f.open(f.options()), 1_000_000);
  }

  private static void assertNamesLeaveNothing(RuntimeState state, int names) {
    useNames(state, 10_000); // what is allocated once is no residue
    long used = usedHeap();
    useNames(state, names);
    assertThat(get(state.statistics()).store().orElseThrow().locks()).isZero();
    assertThat(get(state.statistics()).heldLeases()).isZero();
    assertThat(usedHeap() - used).isLessThan(8 << 20);
  }

  private static void useNames(RuntimeState state, int count) {
    int batch = Math.min(count, 10_000);
    for (int i = 0; i < count; i += batch) {
      Future<?>[] releases =
          IntStream.range(i, i + batch).mapToObj(name -> use(state, name)).toArray(Future[]::new);
      get(Future.all(List.of(releases)));
    }
  }

  private static Future<Boolean> use(RuntimeState state, int name) {
    return state
        .locks()
        .tryAcquire("name" + name, "a", LONG)
        .compose(lease -> state.locks().release(lease.orElseThrow()));
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C385 M09 only the history of a lock outlives it, by seven days; without it too")
  void history_expires(Fixture f) {
    RuntimeState state = f.open(f.options());
    useNames(state, 1_000);
    String prefix = state.namespaceKey("").replace(":d:", "");
    try (RedisSide side = RedisServer.shared().side()) {
      assertThat(keys(side, prefix + ":lk:*")).isEmpty();
      List<?> histories = keys(side, prefix + ":fn:*");
      assertThat(histories).hasSize(1_000);
      for (Object history : histories.subList(0, 20)) {
        assertThat((Long) side.command("PTTL", (String) history))
            .isBetween(SEVEN_DAYS.toMillis() - 20_000, SEVEN_DAYS.plus(LONG).toMillis());
      }
      LockLease before = acquire(state, "name1", "a");
      get(state.locks().release(before));
      side.command("DEL", prefix + ":fn:{name1}");
      assertThat(acquire(state, "name1", "a").fencingToken()).isGreaterThan(before.fencingToken());
    }
  }

  private static List<?> keys(RedisSide side, String pattern) {
    return (List<?>) side.command("KEYS", pattern);
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C489 a renewal moves the end of the history too")
  void history_renewed(Fixture f) {
    LockLease lease = get(f.state().locks().tryAcquire(f.key("l"), "a", LONG)).orElseThrow();
    assertThat(get(f.state().locks().renew(lease, Duration.ofHours(1)))).isTrue();
    try (RedisSide side = RedisServer.shared().side()) {
      Long left = (Long) side.command("PTTL", f.prefix() + ":fn:{" + f.key("l") + "}");
      assertThat(left).isGreaterThanOrEqualTo(SEVEN_DAYS.plusHours(1).minusSeconds(20).toMillis());
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("10.2 0.9.7 a damaged history is healed, a damaged lock is no decision")
  void stored_damaged(Fixture f) {
    String key = f.key("l");
    LockLease first = acquire(f.state(), key, "a");
    get(f.state().locks().release(first));
    String fence = f.prefix() + ":fn:{" + key + "}";
    String lock = f.prefix() + ":lk:{" + key + "}";
    try (RedisSide side = RedisServer.shared().side()) {
      for (String broken : List.of("x", "-5", "007", "9007199254740991", "1e3", "")) {
        side.command("SET", fence, broken);
        LockLease healed = acquire(f.state(), key, "a");
        assertThat(healed.fencingToken()).isGreaterThan(first.fencingToken());
        get(f.state().locks().release(healed));
      }
      side.command("DEL", fence);
      side.command("RPUSH", fence, "x");
      get(f.state().locks().release(acquire(f.state(), key, "a")));
      side.command("SET", fence, "9007199254740989");
      LockLease high = acquire(f.state(), key, "a");
      assertThat(high.fencingToken()).isEqualTo(9_007_199_254_740_990L);
      get(f.state().locks().release(high));
      side.command("SET", lock, "nonsense");
      assertThat(Fails.failure(f.state().locks().tryAcquire(key, "a", LONG)).code().number())
          .isEqualTo(1011);
      assertThat(get(f.state().locks().release(high))).isFalse();
      side.command("DEL", lock);
      side.command("RPUSH", lock, "x");
      assertThat(Fails.failure(f.state().locks().tryAcquire(key, "a", LONG)).code().number())
          .isEqualTo(1011);
      assertThat(Fails.failure(f.state().locks().renew(high, LONG)).code().number())
          .isEqualTo(1011);
      side.command("DEL", lock, fence);
    }
  }
}
