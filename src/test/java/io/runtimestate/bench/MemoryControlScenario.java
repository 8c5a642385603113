package io.runtimestate.bench;

import io.github.bucket4j.Bucket;
import io.runtimestate.Locks;
import io.runtimestate.RuntimeState;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.RateScope;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.shareddata.Counter;
import io.vertx.core.shareddata.SharedData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counting, locking and limiting in memory, beside what Vert.x has for one process, and Bucket4j as
 * the floor of those who answer without a future.
 */
final class MemoryControlScenario implements Scenario {
  private static final String OURS = "ours";
  private static final String COUNTER = "local Counter";
  private static final String LOCK = "local Lock";
  private static final String BUCKET4J = "Bucket4j, local";
  private static final Integer[] DEPTHS = {1, 16, 256, 4_096};
  private static final int LOCKS = 1 << 18;
  private static final long LIMIT = 1_000_000_000;
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  @Override
  public String name() {
    return "memory-control";
  }

  @Override
  public String title() {
    return "Memory: counters, locks and limits";
  }

  /** There are many rows, and a call is short. */
  @Override
  public int usualMillis() {
    return 300;
  }

  @Override
  public void run(Bench bench) throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      Contenders all = new Contenders(stage, owner);
      List<Context> others = List.of(stage.loop(), stage.loop());
      for (int depth : bench.arguments().depths(DEPTHS)) {
        for (Starts starts : Starts.values()) {
          compare(bench, all, "owner's loop", new Load(depth, starts, owner));
        }
        compare(bench, all, "2 other loops", new Load(depth, Starts.REPLY, others, false));
      }
    }
  }

  private static void compare(Bench bench, Contenders all, String where, Load load)
      throws Exception {
    String how = where + ", " + load.inFlight() + " " + load.starts() + ": ";
    bench.compare(Comparison.under(load, how + "increment", all.increment()));
    bench.compare(Comparison.under(load, how + "lock and unlock", all.lock()));
    bench.compare(Comparison.under(load, how + "rate limit", all.rate()));
    bench.compare(Comparison.under(load, how + "token bucket", all.bucket()));
  }

  /** Everybody who can count, lock or limit. */
  private static final class Contenders {
    private final RuntimeState state;
    private final SharedData shared;
    private final Counter counter;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    Contenders(Stage stage, Context owner) throws Exception {
      this.state = stage.memory(owner, 10 * Stage.KEYS);
      this.shared = stage.vertx.sharedData();
      this.counter = Stage.on(owner, () -> shared.getLocalCounter("counter"));
    }

    List<Peer> increment() {
      return List.of(
          Peer.of(OURS, (n, slot) -> state.kv().increment("counter", 1).onComplete(slot)),
          Peer.of(COUNTER, (n, slot) -> counter.incrementAndGet().onComplete(slot)));
    }

    List<Peer> lock() {
      Locks locks = state.locks();
      return List.of(
          Peer.of(
              OURS,
              (n, slot) ->
                  locks
                      .tryAcquire(lockName(n), "node-1", LEASE)
                      .compose(lease -> released(locks, lease))
                      .onComplete(slot)),
          Peer.of(
              LOCK,
              (n, slot) ->
                  shared
                      .getLocalLock(lockName(n))
                      .onSuccess(io.vertx.core.shareddata.Lock::release)
                      .onComplete(slot)));
    }

    private static String lockName(long number) {
      return "lock:" + number % LOCKS;
    }

    private static Future<Boolean> released(Locks locks, Optional<LockLease> lease) {
      return lease.isPresent() ? locks.release(lease.get()) : Future.succeededFuture(false);
    }

    List<Peer> rate() {
      return List.of(
          Peer.of(OURS, (n, slot) -> state.rates().consume(scopes(n), 1, LEASE).onComplete(slot)),
          floor());
    }

    private static List<RateScope> scopes(long number) {
      return List.of(new RateScope("client", Stage.key(number), LIMIT));
    }

    List<Peer> bucket() {
      return List.of(
          Peer.of(
              OURS,
              (n, slot) ->
                  state.rates().tokenBucket(Stage.key(n), LIMIT, LIMIT, PERIOD).onComplete(slot)),
          floor());
    }

    private Peer floor() {
      return Peer.of(
          BUCKET4J,
          (n, slot) ->
              slot.complete(
                  buckets.computeIfAbsent(Stage.key(n), key -> full()).tryConsume(1), null));
    }

    private static Bucket full() {
      return Bucket.builder()
          .addLimit(limit -> limit.capacity(LIMIT).refillGreedy(LIMIT, PERIOD))
          .build();
    }
  }
}
