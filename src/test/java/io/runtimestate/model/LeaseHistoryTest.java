package io.runtimestate.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.PermitDecision;
import io.runtimestate.support.Await;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;

/**
 * Random histories of callers that acquire, renew, release, release too late and crash. What a
 * caller may believe to hold is a span of local time; spans are compared when all is over.
 */
class LeaseHistoryTest {
  private static final int CALLERS = 8;
  private static final int TURNS = 40;

  /** What somebody was entitled to believe, from the answer to the end of the last time granted. */
  private static final class Span {
    private final String name;
    private final long fencing;
    private final long from;
    private volatile long to;

    Span(String name, long fencing, long to) {
      this.name = name;
      this.fencing = fencing;
      this.from = System.nanoTime();
      this.to = to;
    }
  }

  /** One caller: turn after turn, with pauses. */
  private abstract static class Caller {
    final Fixture f;
    final RuntimeState state;
    final SplittableRandom random;
    final Queue<Span> spans;
    private final Promise<Void> done = Promise.promise();

    Caller(Fixture f, int number, Queue<Span> spans) {
      this.f = f;
      this.state = number % 2 == 0 ? f.state() : f.second();
      this.random = new SplittableRandom(number);
      this.spans = spans;
    }

    Future<Void> run() {
      turn(TURNS);
      return done.future();
    }

    private void turn(int left) {
      if (left == 0) {
        done.complete();
      } else {
        play()
            .onFailure(done::tryFail)
            .onSuccess(played -> f.vertx().setTimer(1 + random.nextInt(15), id -> turn(left - 1)));
      }
    }

    abstract Future<?> play();

    static long after(long sent, Duration ttl) {
      return sent + ttl.toNanos();
    }
  }

  private static void run(List<Caller> callers) {
    List<Future<Void>> all = callers.stream().map(Caller::run).toList();
    all.forEach(caller -> Await.within(Duration.ofSeconds(60), caller));
  }

  // ---- locks ----

  private static final class LockCaller extends Caller {
    private LockLease lease;
    private LockLease old;
    private Span span;

    LockCaller(Fixture f, int number, Queue<Span> spans) {
      super(f, number, spans);
    }

    @Override
    Future<?> play() {
      if (lease == null) {
        return old != null && random.nextInt(3) == 0 ? releaseLate() : acquire();
      }
      return switch (random.nextInt(3)) {
        case 0 -> renew();
        case 1 -> release();
        default -> crash();
      };
    }

    private Future<?> acquire() {
      String key = f.key("l" + random.nextInt(2));
      Duration ttl = Duration.ofMillis(20 + random.nextInt(60));
      long sent = System.nanoTime();
      Future<Optional<LockLease>> call =
          random.nextBoolean()
              ? state.locks().tryAcquire(key, "o", ttl)
              : state.locks().acquire(key, "o", ttl, Duration.ofMillis(random.nextInt(40)));
      return call.onSuccess(granted -> granted.ifPresent(got -> hold(got, sent)));
    }

    /** A lease from a line was sent later than it was asked for; it knows best itself. */
    private void hold(LockLease got, long sent) {
      lease = got;
      long left = System.nanoTime() + got.remaining().toNanos();
      span = new Span(got.key(), got.fencingToken(), left);
      assertThat(left).isGreaterThanOrEqualTo(sent);
      if (!got.remaining().isZero()) { // else it ended before its holder heard of it
        spans.add(span);
      }
    }

    private Future<?> renew() {
      Duration ttl = Duration.ofMillis(20 + random.nextInt(60));
      long sent = System.nanoTime();
      Span now = span;
      return state
          .locks()
          .renew(lease, ttl)
          .onSuccess(
              held -> {
                if (held) {
                  now.to = after(sent, ttl);
                } else {
                  now.to = Math.min(now.to, System.nanoTime());
                  lease = null;
                }
              });
    }

    private Future<?> release() {
      span.to = Math.min(span.to, System.nanoTime());
      LockLease given = lease;
      lease = null;
      old = given;
      return state.locks().release(given);
    }

    private Future<?> crash() {
      old = lease;
      lease = null;
      return state.locks().holder(old.key());
    }

    private Future<?> releaseLate() {
      spans.stream()
          .filter(mine -> mine.fencing == old.fencingToken() && mine.name.equals(old.key()))
          .forEach(mine -> mine.to = Math.min(mine.to, System.nanoTime()));
      LockLease given = old;
      old = null;
      return state.locks().release(given);
    }
  }

  @EachBackend
  @DisplayName("C466 random lock histories: one holder at a time, fencing tokens grow")
  void locks(Fixture f) {
    Queue<Span> spans = new ConcurrentLinkedQueue<>();
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(new LockCaller(f, i, spans));
    }
    run(callers);
    assertThat(spans).hasSizeGreaterThan(10);
    spans.stream()
        .collect(Collectors.groupingBy(span -> span.name))
        .forEach((name, ofKey) -> assertOneAtATime(ofKey));
  }

  private static void assertOneAtATime(List<Span> spans) {
    spans.sort(Comparator.comparingLong(span -> span.fencing));
    for (int i = 1; i < spans.size(); i++) {
      Span before = spans.get(i - 1);
      assertThat(spans.get(i).fencing).isGreaterThan(before.fencing);
      assertThat(spans.get(i).from - before.to).isGreaterThanOrEqualTo(0);
    }
  }

  // ---- semaphores ----

  private static final class PermitCaller extends Caller {
    private static final int LIMIT = 3;
    private final String gate;
    private String token;
    private Span span;

    PermitCaller(Fixture f, int number, Queue<Span> spans) {
      super(f, number, spans);
      this.gate = f.key("g");
    }

    @Override
    Future<?> play() {
      if (token == null) {
        return acquire();
      }
      return switch (random.nextInt(4)) {
        case 0 -> renew();
        case 1 -> crash();
        default -> release();
      };
    }

    private Future<?> acquire() {
      int limit = 1 + random.nextInt(LIMIT);
      Duration ttl = Duration.ofMillis(20 + random.nextInt(60));
      long sent = System.nanoTime();
      return state
          .semaphores()
          .tryAcquire(gate, null, limit, ttl)
          .onSuccess(
              decision -> {
                if (decision instanceof PermitDecision.Granted granted) {
                  assertThat(granted.inFlight()).isBetween(1, limit);
                  token = granted.token();
                  span = new Span(gate, 0, after(sent, ttl));
                  spans.add(span);
                }
              });
    }

    private Future<?> renew() {
      Duration ttl = Duration.ofMillis(20 + random.nextInt(60));
      long sent = System.nanoTime();
      return state
          .semaphores()
          .renew(gate, null, token, ttl)
          .onSuccess(
              held -> {
                span.to = held ? after(sent, ttl) : Math.min(span.to, System.nanoTime());
                token = held ? token : null;
              });
    }

    private Future<?> release() {
      span.to = Math.min(span.to, System.nanoTime());
      String given = token;
      token = null;
      return state.semaphores().release(gate, null, given);
    }

    private Future<?> crash() {
      token = null;
      return state
          .semaphores()
          .snapshot(gate, null, LIMIT)
          .onSuccess(usage -> assertThat(usage.inFlight()).isLessThanOrEqualTo(LIMIT));
    }
  }

  @EachBackend
  @DisplayName("C467 random semaphore histories: never more holders than the limit")
  void semaphores(Fixture f) {
    Queue<Span> spans = new ConcurrentLinkedQueue<>();
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(new PermitCaller(f, i, spans));
    }
    run(callers);
    assertThat(spans).hasSizeGreaterThan(10);
    for (Span span : spans) {
      long together =
          spans.stream().filter(other -> other.from <= span.from && other.to > span.from).count();
      assertThat(together).isLessThanOrEqualTo(PermitCaller.LIMIT);
    }
  }
}
