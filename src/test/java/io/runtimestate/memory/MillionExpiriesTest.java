package io.runtimestate.memory;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.StoreFigures;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.Await;
import io.runtimestate.support.FakeClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MillionExpiriesTest {
  private static final int EACH = 125_000;
  private static final int AT_ONCE = 5_000;
  private static final long MIB = 1L << 20;
  private static final Duration TTL = Duration.ofHours(1);
  private static final Duration HISTORY_OF_LOCKS = Duration.ofDays(7);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = ((VertxInternal) vertx).createEventLoopContext();
  private final FakeClock clock = new FakeClock();
  private final AtomicLong longestTurn = new AtomicLong();
  private volatile boolean watching = true;

  @AfterEach
  void close() {
    watching = false;
    get(vertx.close());
  }

  @Test
  @DisplayName("C468 a million things that expire at once leave nothing, in short steps")
  void expire_million() {
    RuntimeState state = open();
    fill(state, i -> state.kv().set("warm" + i, "v", TTL));
    clock.advance(TTL);
    awaitEmpty(state);
    long baseline = usedHeap();
    everyFamily(state).forEach(call -> fill(state, call));
    assertThat(usedHeap() - baseline).isGreaterThan(100 * MIB);
    clock.advance(HISTORY_OF_LOCKS.plus(TTL));
    loop.runOnContext(now -> watch(THREADS.getCurrentThreadCpuTime()));
    awaitEmpty(state);
    assertThat(usedHeap() - baseline).isLessThan(16 * MIB);
    // Processor time of the loop's own thread: other processes and the collector do not count.
    assertThat(Duration.ofNanos(longestTurn.get())).isLessThan(Duration.ofMillis(10));
  }

  private RuntimeState open() {
    RuntimeStateOptions options = new RuntimeStateOptions();
    options.getMemory().setMaxValues(EACH).setMaxUsageWindows(EACH).setMaxUsageEvents(EACH);
    var opened = Promise.<RuntimeState>promise();
    loop.runOnContext(now -> RuntimeState.open(vertx, options, clock).onComplete(opened));
    return get(opened.future());
  }

  private static List<Function<Integer, Future<?>>> everyFamily(RuntimeState state) {
    return List.of(
        i -> state.kv().set("v" + i, "v", TTL),
        i -> state.sets().add("s" + i, "m").compose(added -> state.keys().expire("s" + i, TTL)),
        i -> state.scores().set("z" + i, "m", i).compose(a -> state.keys().expire("z" + i, TTL)),
        i ->
            state
                .queues()
                .append("q" + i, Map.of("f", "v"))
                .compose(id -> state.keys().expire("q" + i, TTL)),
        i -> state.rates().consume(List.of(new RateScope("s", "r" + i, 9)), 1, TTL),
        i -> state.usage().consume(List.of(new UsageRule("{u" + i + "}", 9, TTL)), "event"),
        i -> state.locks().tryAcquire("l" + i, "owner", TTL),
        i -> state.semaphores().tryAcquire("gate", "p" + i, 9, TTL));
  }

  private static void fill(RuntimeState state, Function<Integer, Future<?>> call) {
    for (int from = 0; from < EACH; from += AT_ONCE) {
      get(Future.all(IntStream.range(from, from + AT_ONCE).boxed().map(call).toList()));
    }
  }

  private static void awaitEmpty(RuntimeState state) {
    Await.until(() -> figures(state).bytes() == 0, Duration.ofMinutes(1), "all has been swept");
  }

  private static StoreFigures figures(RuntimeState state) {
    return get(state.statistics()).store().orElseThrow();
  }

  /** Notes how long the loop's thread worked since the last timer, and sets the next. */
  private void watch(long last) {
    long now = THREADS.getCurrentThreadCpuTime();
    longestTurn.accumulateAndGet(now - last, Math::max);
    if (watching) {
      vertx.setTimer(1, id -> watch(now));
    }
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
