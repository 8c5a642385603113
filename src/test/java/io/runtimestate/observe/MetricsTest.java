package io.runtimestate.observe;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricsTest {
  /** What this class provokes is logged; held, because loggers that nobody holds forget. */
  private static final List<Logger> PROVOKED =
      Stream.of(MetricsBinding.class, MeterRegistry.class)
          .map(type -> Logger.getLogger(type.getName()))
          .toList();

  private static final int DISTINCT = 100_000;
  private static final int IN_FLIGHT = 500;

  @BeforeAll
  static void silence() {
    PROVOKED.forEach(logger -> logger.setLevel(Level.OFF));
  }

  @AfterAll
  static void speak() {
    PROVOKED.forEach(logger -> logger.setLevel(null));
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("C439 metrics show the numbers of the statistics")
  void metrics_countOutcomes(Fixture f) {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      useEverything(metered.open(f.options()), f.key("k"));
      assertThat(metered.timer("kv.set", "ok").count()).isEqualTo(1);
      assertThat(metered.timer("kv.setIfAbsent", "ok").count()).isEqualTo(1);
      assertThat(metered.timer("kv.setIfAbsent", "rejected").count()).isEqualTo(2);
      assertThat(metered.timer("kv.compareAndSet", "rejected").count()).isEqualTo(1);
      assertThat(metered.timer("kv.increment", "wrong_type").count()).isEqualTo(2);
      assertThat(metered.timer("kv.increment", "ok").count()).isZero();
      assertThat(metered.timer("key.delete", "ok").count()).isEqualTo(1);
      assertThat(metered.calls()).isEqualTo(12);
    }
  }

  /** Twelve calls with a known outcome each. */
  private static void useEverything(RuntimeState state, String key) {
    get(state.kv().set(key, "text"));
    get(state.kv().setIfAbsent(key, "other"));
    get(state.kv().setIfAbsent(key, "other"));
    get(state.kv().compareAndSet(key, "no", "other"));
    get(state.kv().compareAndSet(key, "text", "text"));
    get(state.kv().deleteIfEquals(key, "no"));
    Await.failure(state.kv().increment(key, 1));
    Await.failure(state.kv().increment(key, 1));
    get(state.kv().get(key + ".missing")); // empty, and yet no refusal
    get(state.keys().delete(key + ".missing"));
    get(state.keys().exists(key));
    get(state.kv().setIfAbsent(key + ".new", "text"));
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("C440 gauges are live after open, and no meter is left after close")
  void meters_liveFromOpenToClose(Fixture f) {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeState state = metered.open(f.options());
      get(state.kv().set(f.key("k"), "v"));
      assertThat(metered.timer("kv.set", "ok").count()).isEqualTo(1);
      assertThat(metered.gauge("runtime_state_pending")).isZero();
      if (f.isMemory()) {
        assertThat(metered.gauge("runtime_state_entries", "family", "values")).isEqualTo(1);
        assertThat(metered.gauge("runtime_state_bytes")).isPositive();
      } else {
        assertThat(metered.gauge("runtime_state_lane_connections", "lane", "control")).isPositive();
      }
      get(state.close());
      assertThat(metered.meters()).isEmpty();
    }
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("C440 Q01 a registry that throws fails no operation, no open and no close")
  void registry_throws(Fixture f) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    registry.config().meterFilter(refusing("runtime_state_"));
    try (MeteredVertx metered = new MeteredVertx(registry)) {
      RuntimeState state = metered.open(f.options());
      get(state.kv().set(f.key("k"), "v"));
      assertThat(get(state.kv().get(f.key("k")))).contains("v");
      assertThat(metered.meters()).isEmpty();
      get(state.close());
    }
  }

  @Test
  void registry_throwsForOneMeter() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    registry.config().meterFilter(refusing("runtime_state_bytes"));
    try (MeteredVertx metered = new MeteredVertx(registry)) {
      RuntimeState state = metered.open(new RuntimeStateOptions());
      assertThat(names(metered.meters())).contains("runtime_state_pending");
      get(state.close());
      assertThat(metered.meters()).isEmpty();
    }
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("Q01 one set of tags per meter: Prometheus takes every outcome")
  void prometheus_everyOutcome(Fixture f) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.throwExceptionOnRegistrationFailure();
    try (MeteredVertx metered = new MeteredVertx(registry)) {
      RuntimeState state = metered.open(f.options());
      get(state.kv().set(f.key("k"), "v"));
      get(state.kv().setIfAbsent(f.key("k"), "v"));
      Await.failure(state.kv().increment(f.key("k"), 1));
      assertThat(registry.scrape().lines())
          .anyMatch(line -> isSample(line, "kv.set", "ok", 1))
          .anyMatch(line -> isSample(line, "kv.setIfAbsent", "rejected", 1))
          .anyMatch(line -> isSample(line, "kv.increment", "wrong_type", 1))
          .anyMatch(line -> isSample(line, "kv.increment", "timed_out", 0));
    }
  }

  private static boolean isSample(String line, String operation, String outcome, int count) {
    return line.startsWith("runtime_state_operations_seconds_count{")
        && line.contains("operation=\"" + operation + "\"")
        && line.contains("outcome=\"" + outcome + "\"")
        && line.endsWith("} " + count);
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("C442 Q03 the number of meters does not depend on the names in use")
  void meters_bounded(Fixture f) {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeState state = metered.open(f.options());
      List<Meter> before = metered.meters();
      int operations = OperationCatalog.all().size();
      assertThat(before).hasSizeBetween(16 * operations, 16 * operations + 40);
      for (int i = 0; i < DISTINCT; i += IN_FLIGHT) {
        get(Future.all(increments(state, f, i)));
      }
      assertThat(metered.meters()).hasSameSizeAs(before);
      assertThat(metered.timer("kv.increment", "ok").count()).isEqualTo(DISTINCT);
    }
  }

  private static List<Future<Long>> increments(RuntimeState state, Fixture f, int from) {
    List<Future<Long>> calls = new ArrayList<>();
    for (int i = from; i < from + IN_FLIGHT; i++) {
      calls.add(state.kv().increment(f.key("k" + i), 1));
    }
    return calls;
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("Q05 meters of a reopened runtime are alive, a hundred times")
  void meters_reopened(Fixture f) {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      for (int i = 0; i < 100; i++) {
        RuntimeState state = metered.open(f.options());
        get(state.kv().set(f.key("k"), "v"));
        assertThat(metered.timer("kv.set", "ok").count()).isEqualTo(1);
        assertThat(metered.gauge("runtime_state_pending")).isZero();
        get(state.close());
        assertThat(metered.meters()).isEmpty();
      }
    }
  }

  @Test
  void runtimes_ofOneRegistryAreSummed() {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeState first = metered.open(new RuntimeStateOptions());
      RuntimeState second = metered.open(new RuntimeStateOptions());
      get(first.kv().set("k", "v"));
      get(second.kv().set("k", "v"));
      assertThat(metered.timer("kv.set", "ok").count()).isEqualTo(2);
      assertThat(metered.gauge("runtime_state_entries", "family", "values")).isEqualTo(2);
      get(first.close());
      assertThat(metered.timer("kv.set", "ok").count()).as("counts never fall").isEqualTo(2);
      assertThat(metered.gauge("runtime_state_entries", "family", "values")).isEqualTo(1);
      get(second.close());
      assertThat(metered.meters()).isEmpty();
    }
  }

  @Test
  void evictions_andExpirations() {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeStateOptions options = new RuntimeStateOptions();
      options.getMemory().setMaxValues(1);
      RuntimeState state = metered.open(options);
      get(state.kv().set("a", "v"));
      get(state.kv().set("b", "v"));
      assertThat(metered.counter("runtime_state_evictions")).isEqualTo(1);
      assertThat(metered.counter("runtime_state_expirations")).isZero();
    }
  }

  /** What operations of one kind cost is told once, not once for each of their outcomes. */
  @Test
  void timer_totalIsSplitByOutcome() {
    OperationCounters counters =
        new OperationCounters(OperationCatalog.find("kv.setIfAbsent").orElseThrow());
    counters.finished(true, null, TimeUnit.MILLISECONDS.toNanos(3));
    counters.finished(false, null, TimeUnit.MILLISECONDS.toNanos(4));
    counters.finished(false, null, OperationCounters.NOT_MEASURED);
    RuntimeStateException timeout = new RuntimeStateException(FailureCode.TIMED_OUT, "late");
    counters.finished(null, timeout, TimeUnit.MILLISECONDS.toNanos(5));
    assertThat(counters.tally(Outcome.OK).nanos()).isEqualTo(3_000_000);
    assertThat(counters.tally(Outcome.REJECTED).nanos()).isEqualTo(4_000_000);
    assertThat(counters.tally(Outcome.REJECTED).calls()).isEqualTo(2);
    assertThat(counters.tally(Outcome.of(FailureCode.TIMED_OUT)).nanos()).isEqualTo(5_000_000);
    assertThat(counters.snapshot().latency().totalMs()).isEqualTo(12);
  }

  @Test
  void timer_showsTime() {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeState state = metered.open(new RuntimeStateOptions());
      get(state.execute(new KvOperation.Get("k")));
      assertThat(metered.timer("kv.get", "ok").totalTime(TimeUnit.NANOSECONDS)).isPositive();
      assertThat(metered.timer("kv.get", "rejected").totalTime(TimeUnit.NANOSECONDS)).isZero();
    }
  }

  @Test
  @DisplayName("Q03 no tag names a key, a scope, an owner or a consumer")
  void meters_tags() {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      metered.open(new RuntimeStateOptions());
      for (Meter meter : metered.meters()) {
        Set<String> keys =
            meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet());
        assertThat(keys).isSubsetOf("operation", "backend", "outcome", "family", "lane", "kind");
        assertThat(meter).isInstanceOfAny(FunctionTimer.class, FunctionCounter.class, Gauge.class);
      }
    }
  }

  @Test
  void client_overTheEventBusIsNotCountedTwice() {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeStateOptions options = new RuntimeStateOptions();
      options.getEventBus().setExpose(true);
      metered.open(options);
      RuntimeState client = get(RuntimeState.connect(metered.vertx(), "runtime-state"));
      get(client.kv().set("k", "v"));
      assertThat(metered.timer("kv.set", "ok").count()).isEqualTo(1);
    }
  }

  private static MeterFilter refusing(String prefix) {
    return new MeterFilter() {
      @Override
      public MeterFilterReply accept(Meter.Id id) {
        if (id.getName().startsWith(prefix)) {
          throw new IllegalStateException("provoked");
        }
        return MeterFilterReply.NEUTRAL;
      }
    };
  }

  private static List<String> names(List<Meter> meters) {
    return meters.stream().map(meter -> meter.getId().getName()).toList();
  }
}
