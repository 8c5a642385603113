package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.PermitDecision;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.Footprint;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/** Waiting for locks. */
class WaitingLineContractTest {
  private static final Duration LONG = seconds(30);

  private static LockLease take(Fixture f, Duration ttl) {
    return get(f.state().locks().tryAcquire(f.key("l"), "holder", ttl)).orElseThrow();
  }

  private static Future<Optional<LockLease>> wait(Fixture f, String owner, Duration waitUpTo) {
    return f.state().locks().acquire(f.key("l"), owner, LONG, waitUpTo);
  }

  private static long millisOf(Runnable call) {
    long before = System.nanoTime();
    call.run();
    return (System.nanoTime() - before) / 1_000_000;
  }

  @EachBackend
  @DisplayName("C386 a waiter gets the lock soon after its release")
  void acquire_afterRelease(Fixture f) {
    LockLease held = take(f, LONG);
    f.vertx().setTimer(200, id -> f.state().locks().release(held));
    long millis = millisOf(() -> assertThat(get(wait(f, "w", seconds(2)))).isPresent());
    assertThat(millis).isBetween(150L, 800L);
  }

  @EachBackend
  @DisplayName("C386 S09 a waiter gets the lock soon after its expiry, here and elsewhere")
  void acquire_afterExpiry(Fixture f) {
    take(f, ms(400));
    long millis = millisOf(() -> assertThat(get(wait(f, "w", seconds(2)))).isPresent());
    assertThat(millis).isBetween(300L, 800L);
    get(f.state().locks().tryAcquire(f.key("m"), "holder", ms(300)));
    Future<Optional<LockLease>> elsewhere =
        f.second().locks().acquire(f.key("m"), "w", LONG, seconds(2));
    assertThat(get(elsewhere)).isPresent();
  }

  @EachBackend
  @DisplayName("C386 a wait ends empty, a wait of zero is one attempt")
  void acquire_timesOut(Fixture f) {
    take(f, LONG);
    long millis = millisOf(() -> assertThat(get(wait(f, "w", ms(500)))).isEmpty());
    assertThat(millis).isBetween(499L, 1_000L);
    assertThat(millisOf(() -> assertThat(get(wait(f, "w", Duration.ZERO))).isEmpty()))
        .isLessThan(400);
    assertThat(get(f.state().locks().acquire(f.key("free"), "w", LONG, Duration.ZERO))).isPresent();
  }

  @EachBackend
  @DisplayName("10.4 arguments of a wait are checked")
  void acquire_arguments(Fixture f) {
    assertInvalid(f.state().locks().acquire(f.key("l"), "w", LONG, ms(-1))).contains("waitUpTo");
    assertInvalid(f.state().locks().acquire(f.key("l"), "w", LONG, null)).contains("waitUpTo");
    assertInvalid(f.state().locks().acquire(f.key("l"), "w", Duration.ZERO, LONG));
    assertInvalid(f.state().locks().acquire(" ", "w", LONG, LONG));
    assertInvalid(
        f.state().locks().acquire(f.key("l"), "w", LONG, Duration.ofDays(36_525).plusMillis(1)));
  }

  @EachBackend
  @DisplayName("C387 20 waiters are served in order, and nobody overtakes them")
  void waiters_inOrder(Fixture f) {
    LockLease held = take(f, LONG);
    List<Integer> served = new CopyOnWriteArrayList<>();
    List<Long> delays = new CopyOnWriteArrayList<>();
    List<Future<?>> turns = new ArrayList<>();
    long[] released = new long[1];
    for (int i = 0; i < 20; i++) {
      int number = i;
      turns.add(
          wait(f, "w" + i, LONG)
              .compose(
                  lease -> {
                    delays.add((System.nanoTime() - released[0]) / 1_000_000);
                    served.add(number);
                    Future<Optional<LockLease>> passing =
                        f.state().locks().tryAcquire(f.key("l"), "p", LONG);
                    return passing.compose(
                        overtaken -> {
                          assertThat(overtaken).isEmpty();
                          released[0] = System.nanoTime();
                          return f.state().locks().release(lease.orElseThrow());
                        });
                  }));
    }
    f.pass(ms(100));
    released[0] = System.nanoTime();
    get(f.state().locks().release(held));
    turns.forEach(Await::get);
    assertThat(served).containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
    List<Long> sorted = delays.stream().sorted().toList();
    assertThat(sorted.get(10)).as("%s", delays).isLessThanOrEqualTo(20L);
    assertThat(sorted.get(19)).as("%s", delays).isLessThanOrEqualTo(200L);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C388 M15 10 000 short waits behind a long holder end in time and leave nothing")
  void waiters_thousands(Fixture f) {
    Footprint before = f.footprint();
    LockLease held = take(f, LONG);
    List<Long> ends = new CopyOnWriteArrayList<>();
    Promise<List<Future<Optional<LockLease>>>> entered = Promise.promise();
    Context context = f.vertx().getOrCreateContext();
    context.runOnContext(
        now -> {
          List<Future<Optional<LockLease>>> waits = new ArrayList<>();
          for (int i = 0; i < 10_000; i++) {
            waits.add(wait(f, "w", ms(50)));
          }
          long last = System.nanoTime();
          waits.get(9_999).onComplete(done -> ends.add((System.nanoTime() - last) / 1_000_000));
          entered.complete(waits);
        });
    List<Future<Optional<LockLease>>> waits = get(entered.future());
    waits.forEach(wait -> assertThat(get(wait)).isEmpty());
    assertThat(ends.get(0)).isLessThan(300L);
    get(f.state().locks().release(held));
    assertThat(get(wait(f, "w", ms(100)))).isPresent();
    f.awaitReturn(before);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C388 M15 whoever left the line is not served, the next one is")
  void waiters_left(Fixture f) {
    LockLease held = take(f, LONG);
    Future<Optional<LockLease>> impatient = wait(f, "impatient", ms(50));
    Future<Optional<LockLease>> patient = wait(f, "patient", LONG);
    assertThat(get(impatient)).isEmpty();
    get(f.state().locks().release(held));
    assertThat(get(patient).orElseThrow().owner()).isEqualTo("patient");
  }

  @EachBackend
  @DisplayName("C488 who waits is served before those who pass, whichever way they come")
  void passing_doesNotOvertake(Fixture f) {
    LockOperation.TryAcquire own = new LockOperation.TryAcquire(f.key("l"), "holder", LONG);
    LockLease held = get(f.state().execute(own)).orElseThrow();
    Future<Optional<LockLease>> waiter = wait(f, "w", LONG);
    f.pass(ms(50));
    LockLease repeated = get(f.state().execute(own)).orElseThrow();
    assertThat(repeated).isEqualTo(held);
    RuntimeState client = f.kind() == DoorKind.MEMORY ? f.second() : f.state();
    Promise<List<Future<Optional<LockLease>>>> turn = Promise.promise();
    f.vertx()
        .getOrCreateContext()
        .runOnContext(
            now -> {
              f.state().locks().release(held);
              turn.complete(
                  List.of(
                      f.state().locks().tryAcquire(f.key("l"), "p", LONG),
                      client.locks().tryAcquire(f.key("l"), "p", LONG)));
            });
    get(turn.future()).forEach(passing -> assertThat(get(passing)).isEmpty());
    assertThat(get(waiter).orElseThrow().owner()).isEqualTo("w");
    assertThat(get(f.state().execute(own))).isEmpty();
  }

  @EachBackend
  @DisplayName("C488 the same line for a semaphore")
  void passing_semaphore(Fixture f) {
    SemaphoreOperation.TryAcquire own =
        new SemaphoreOperation.TryAcquire(f.key("g"), Optional.empty(), 1, LONG);
    PermitDecision held = get(f.state().execute(own));
    assertThat(held.isGranted()).isTrue();
    var semaphore =
        f.state().semaphores().semaphore(new io.runtimestate.lease.SemaphoreOptions(f.key("g"), 1));
    var waiter = semaphore.acquire(LONG);
    f.pass(ms(50));
    assertThat(get(f.state().execute(own))).isEqualTo(held);
    Promise<Future<PermitDecision>> turn = Promise.promise();
    f.vertx()
        .getOrCreateContext()
        .runOnContext(
            now -> {
              f.state().semaphores().release(f.key("g"), null, own.permitToken());
              turn.complete(f.state().semaphores().tryAcquire(f.key("g"), null, 2, LONG));
            });
    assertThat(get(get(turn.future())).isGranted()).isFalse();
    get(get(waiter).orElseThrow().release());
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("13.2 C450 waiting acquirers fail CLOSED")
  void close_endsWaits(Fixture f) {
    Footprint before = f.footprint();
    RuntimeState state = f.open(f.options());
    get(state.locks().tryAcquire("l", "holder", LONG));
    List<Future<Optional<LockLease>>> waits =
        IntStream.range(0, 10).mapToObj(i -> state.locks().acquire("l", "w", LONG, LONG)).toList();
    get(state.close());
    for (Future<?> wait : waits) {
      assertThat(Fails.failure(wait).code()).isEqualTo(FailureCode.CLOSED);
    }
    assertThat(Fails.failure(state.locks().acquire("l", "w", LONG, LONG)).code())
        .isEqualTo(FailureCode.CLOSED);
    f.awaitReturn(before);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("10.4 memory never polls: while nothing happens, nothing is attempted")
  void memory_doesNotPoll(Fixture f) {
    RuntimeState state = f.open(new RuntimeStateOptions(), new FakeClock());
    get(state.locks().tryAcquire("l", "holder", LONG));
    Future<Optional<LockLease>> wait = state.locks().acquire("l", "w", LONG, ms(700));
    f.pass(ms(100));
    long before = attempts(state);
    f.pass(ms(400));
    assertThat(attempts(state)).isEqualTo(before);
    assertThat(get(wait)).isEmpty();
  }

  private static long attempts(RuntimeState state) {
    return get(state.statistics()).operations().get("lock.tryAcquire").count();
  }
}
