package io.runtimestate.bench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.runtimestate.KeyValues;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.MemoryOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.operation.KvOperation;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.Counter;
import io.vertx.core.shareddata.SharedData;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One call after the other on the owner's event loop, beside what Vert.x has and what no future can
 * beat. Every 65th call of ours takes a turn of the event loop, and that is part of its cost.
 *
 * <pre>{@code
 * mvn -q -Pbench test-compile exec:exec@jmh -Djmh.args="InPlaceBenchmark"
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(InPlace.CALLS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class InPlaceBenchmark {
  private static final long TTL_MILLIS = Stage.TTL.toMillis();

  private InPlace inPlace;
  private RuntimeState state;
  private KeyValues kv;
  private KvOperation.Get get;
  private AsyncMap<String, String> map;
  private AsyncMap<String, String> ttlMap;
  private Counter counter;
  private Cache<String, String> cache;
  private Map<String, String> hashMap;
  private Future<Void> nothing;

  @Setup
  public void open() throws Exception {
    inPlace = new InPlace();
    RuntimeStateOptions options =
        new RuntimeStateOptions().setMemory(new MemoryOptions().setMaxValues(10 * Stage.KEYS));
    state = Stage.on(inPlace.loop, () -> RuntimeState.open(inPlace.vertx, options));
    kv = state.kv();
    get = new KvOperation.Get(Stage.key(0));
    SharedData shared = inPlace.vertx.sharedData();
    map = Stage.on(inPlace.loop, () -> shared.getLocalAsyncMap("map"));
    ttlMap = Stage.on(inPlace.loop, () -> shared.getLocalAsyncMap("ttl"));
    counter = Stage.on(inPlace.loop, () -> shared.getLocalCounter("counter"));
    cache = Caffeine.newBuilder().expireAfterWrite(Stage.TTL).maximumSize(10L * Stage.KEYS).build();
    hashMap = new HashMap<>();
    nothing = Stage.on(inPlace.loop, () -> Future.succeededFuture(Future.<Void>succeededFuture()));
    inPlace.run(this::fill);
  }

  private Future<?> fill(long n) {
    map.put(Stage.key(n), Stage.VALUE);
    cache.put(Stage.key(n), Stage.VALUE);
    hashMap.put(Stage.key(n), Stage.VALUE);
    return kv.set(Stage.key(n), Stage.VALUE);
  }

  @TearDown
  public void close() throws Exception {
    inPlace.close();
  }

  /** The driver itself. */
  @Benchmark
  public void nothing() throws Exception {
    inPlace.run(n -> nothing);
  }

  /** A part of every call: a future of the caller's context. */
  @Benchmark
  public void partFuture() throws Exception {
    ContextInternal context = (ContextInternal) inPlace.loop;
    inPlace.run(n -> context.succeededFuture());
  }

  /** A part of every call with a ttl, and of every one that finds a value with one. */
  @Benchmark
  public void partClock() throws Exception {
    inPlace.run(n -> System.nanoTime() == 0 ? null : nothing);
  }

  /** A part of every write: the operation, whose texts are checked. */
  @Benchmark
  public void partSetOperation() throws Exception {
    Optional<Duration> ttl = Optional.of(Stage.TTL);
    inPlace.run(n -> given(new KvOperation.Set(Stage.key(n), Stage.VALUE, ttl, false).value()));
  }

  @Benchmark
  public void oursGet() throws Exception {
    inPlace.run(n -> kv.get(Stage.key(n)));
  }

  /** Without building the operation. */
  @Benchmark
  public void oursGetReady() throws Exception {
    inPlace.run(n -> state.execute(get));
  }

  @Benchmark
  public void oursSet() throws Exception {
    inPlace.run(n -> kv.set(Stage.key(n), Stage.VALUE));
  }

  @Benchmark
  public void oursSetTtl() throws Exception {
    inPlace.run(n -> kv.set(Stage.key(n), Stage.VALUE, Stage.TTL));
  }

  @Benchmark
  public void oursIncrement() throws Exception {
    inPlace.run(n -> kv.increment("counter", 1));
  }

  @Benchmark
  public void asyncMapGet() throws Exception {
    inPlace.run(n -> map.get(Stage.key(n)));
  }

  @Benchmark
  public void asyncMapSet() throws Exception {
    inPlace.run(n -> map.put(Stage.key(n), Stage.VALUE));
  }

  @Benchmark
  public void asyncMapSetTtl() throws Exception {
    inPlace.run(n -> ttlMap.put(Stage.key(n), Stage.VALUE, TTL_MILLIS));
  }

  @Benchmark
  public void counterIncrement() throws Exception {
    inPlace.run(n -> counter.incrementAndGet());
  }

  @Benchmark
  public void caffeineGet() throws Exception {
    inPlace.run(n -> given(cache.getIfPresent(Stage.key(n))));
  }

  @Benchmark
  public void caffeineSet() throws Exception {
    inPlace.run(
        n -> {
          cache.put(Stage.key(n), Stage.VALUE);
          return nothing;
        });
  }

  @Benchmark
  public void hashMapGet() throws Exception {
    inPlace.run(n -> given(hashMap.get(Stage.key(n))));
  }

  @Benchmark
  public void hashMapSet() throws Exception {
    inPlace.run(n -> given(hashMap.put(Stage.key(n), Stage.VALUE)));
  }

  /**
   * The floors answer without a future; looking at the answer keeps it from being optimised out.
   */
  private Future<Void> given(String value) {
    return Optional.ofNullable(value).isPresent() ? nothing : null;
  }
}
