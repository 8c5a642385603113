package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.lease.Permit;
import io.runtimestate.lease.Semaphore;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.Footprint;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/**
 * Many waiters of one lock and many permits of one process. The long forms print what they measure:
 *
 * <pre>mvn -q test -Psoak -Dtest=LeaseScaleTest</pre>
 */
class LeaseScaleTest {
  private static final Duration LONG = Duration.ofSeconds(120);
  private static final int NANOS_PER_MICRO = 1_000;
  private static final int AT_ONCE = 500;

  // ---- waiters ----

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("10.4 200 waiters of one lock are all served, in order")
  void waiters(Fixture f) {
    serveWaiters(f, 200);
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @Tag("soak")
  @DisplayName("10.4 1 000 waiters of one lock are all served, in order; prints the waits")
  void waiters_long(Fixture f) {
    List<Long> micros = serveWaiters(f, 1_000);
    print(
        "%s: 1000 waiters of one lock, inversions 0, hand-over median %d us, worst %d us,"
            + " longest wait %d us",
        f.kind(),
        micros.get(micros.size() / 2),
        micros.get(micros.size() - 1),
        micros.stream().mapToLong(Long::longValue).sum());
  }

  /** The hand-overs, from each release to the next grant, in microseconds, sorted. */
  private static List<Long> serveWaiters(Fixture f, int number) {
    var held = get(f.state().locks().tryAcquire(f.key("l"), "holder", LONG)).orElseThrow();
    List<Integer> served = new ArrayList<>();
    List<Long> micros = new ArrayList<>();
    long[] released = new long[1];
    Promise<List<Future<?>>> begun = Promise.promise();
    Context context = f.vertx().getOrCreateContext(); // all of this happens on one loop
    context.runOnContext(
        now -> {
          List<Future<?>> turns = new ArrayList<>();
          for (int i = 0; i < number; i++) {
            int turn = i;
            turns.add(
                f.state()
                    .locks()
                    .acquire(f.key("l"), "w", LONG, LONG)
                    .compose(
                        lease -> {
                          micros.add((System.nanoTime() - released[0]) / NANOS_PER_MICRO);
                          served.add(turn);
                          released[0] = System.nanoTime();
                          return f.state().locks().release(lease.orElseThrow());
                        }));
          }
          begun.complete(turns);
        });
    List<Future<?>> turns = get(begun.future());
    context.runOnContext(
        now -> {
          released[0] = System.nanoTime();
          f.state().locks().release(held);
        });
    turns.forEach(turn -> Await.within(LONG, turn));
    assertThat(served).containsExactlyElementsOf(IntStream.range(0, number).boxed().toList());
    return micros.stream().sorted().toList();
  }

  // ---- permits ----

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("11.3 2 000 permits of one process are kept by one timer")
  void permits(Fixture f) {
    keepPermits(f, 2_000, Duration.ofSeconds(5), Duration.ofSeconds(3));
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @Tag("soak")
  @DisplayName("11.3 20 000 permits of one process are kept; prints what that costs")
  void permits_long(Fixture f) {
    keepPermits(f, 20_000, Duration.ofSeconds(30), Duration.ofSeconds(60));
  }

  private static void keepPermits(Fixture f, int number, Duration lease, Duration time) {
    Semaphore semaphore =
        f.state()
            .semaphores()
            .semaphore(
                new SemaphoreOptions(f.key("g"), number)
                    .setLeaseTtl(lease)
                    .setRenewInterval(lease.dividedBy(3)));
    get(get(semaphore.tryAcquire()).orElseThrow().release()); // makes connections
    Footprint before = f.footprint();
    List<Permit> permits = acquire(semaphore, number);
    Cost cost = Cost.of(f, time);
    assertThat(permits).allMatch(Permit::isHealthy);
    assertThat(get(semaphore.snapshot()).inFlight()).isEqualTo(number);
    assertThat(get(semaphore.tryAcquire())).isEmpty();
    assertThat(cost.renewals).isGreaterThanOrEqualTo(number);
    assertThat(f.footprint().timers()).isLessThanOrEqualTo(before.timers() + 3);
    print("%s: %d permits held, %s", f.kind(), number, cost);
    release(permits);
    assertThat(get(semaphore.snapshot()).inFlight()).isZero();
    f.awaitReturn(before);
  }

  private static List<Permit> acquire(Semaphore semaphore, int number) {
    List<Permit> permits = new ArrayList<>();
    for (int i = 0; i < number; i += AT_ONCE) {
      List<Future<Optional<Permit>>> batch =
          IntStream.range(0, AT_ONCE).mapToObj(n -> semaphore.tryAcquire()).toList();
      batch.forEach(call -> permits.add(Await.within(LONG, call).orElseThrow()));
    }
    return permits;
  }

  private static void release(List<Permit> permits) {
    for (int i = 0; i < permits.size(); i += AT_ONCE) {
      List<Future<Void>> batch =
          permits.subList(i, i + AT_ONCE).stream().map(Permit::release).toList();
      batch.forEach(call -> Await.within(LONG, call));
    }
  }

  /** What keeping costs: renewals, and the CPU of this process, whatever else it does. */
  private record Cost(long renewals, double perSecond, double cpuPerSecond) {
    static Cost of(Fixture f, Duration time) {
      long renewals = count(f.state());
      long cpu = cpuNanos();
      long start = System.nanoTime();
      f.pass(time);
      double seconds = (System.nanoTime() - start) / 1e9;
      long sent = count(f.state()) - renewals;
      return new Cost(sent, sent / seconds, (cpuNanos() - cpu) / 1e9 / seconds);
    }

    private static long count(RuntimeState state) {
      var renew = get(state.statistics()).operations().get("semaphore.renew");
      return renew == null ? 0 : renew.count();
    }

    private static long cpuNanos() {
      return ((com.sun.management.OperatingSystemMXBean)
              ManagementFactory.getOperatingSystemMXBean())
          .getProcessCpuTime();
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.0f renewals a second, %.1f %% of one core",
          perSecond,
          100 * cpuPerSecond);
    }
  }

  private static void print(String text, Object... values) {
    System.out.printf(Locale.ROOT, text + "%n", values);
  }
}
