package io.runtimestate.bench;

import io.runtimestate.RuntimeState;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.shareddata.AsyncMap;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/** What many expiring keys cost: each call, the heap, and the moment when all of them expire. */
final class MemoryScaleScenario implements Scenario {
  private static final int FEW = 1_000;
  private static final long LONGEST_HOLD_MILLIS = 10;
  private static final Duration UNTIL_EXPIRY = Duration.ofSeconds(15);
  private static final int FILL_BATCH = 1_000;

  @Override
  public String name() {
    return "memory-scale";
  }

  @Override
  public String title() {
    return "Memory: many expiring keys";
  }

  @Override
  public void run(Bench bench) throws Exception {
    int many = bench.arguments().keys();
    costPerCall(bench, many);
    costOfScores(bench, many);
    bytesPerEntry(bench, many);
    expiryOfAll(bench, many);
  }

  private static void costPerCall(Bench bench, int many) throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      RuntimeState small = filled(stage, owner, FEW);
      RuntimeState large = filled(stage, owner, many);
      Map<String, String> smallMap = hashMap(FEW);
      Map<String, String> largeMap = hashMap(many);
      Load load = new Load(1, Starts.REPLY, owner);
      bench.compare(
          compared(
              load,
              "HashMap.get, the limit of the machine",
              many,
              n ->
                  (number, slot) ->
                      slot.complete((n == FEW ? smallMap : largeMap).get(name(number, n)), null)));
      bench.compare(
          compared(
              load,
              "get",
              many,
              n ->
                  (number, slot) ->
                      state(n, small, large).kv().get(name(number, n)).onComplete(slot)));
      bench.compare(
          compared(
              load,
              "set with ttl",
              many,
              n ->
                  (number, slot) ->
                      state(n, small, large)
                          .kv()
                          .set(name(number, n), Stage.VALUE, Stage.TTL)
                          .onComplete(slot)));
    }
  }

  private static Map<String, String> hashMap(int keys) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < keys; i++) {
      map.put("session:" + i, fresh());
    }
    return map;
  }

  private static void costOfScores(Bench bench, int many) throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      RuntimeState state = stage.memory(owner, FEW);
      for (int size : List.of(FEW, many)) {
        fill(
            owner,
            size,
            (member, left) -> state.scores().set(scores(size), member, left).mapEmpty());
      }
      Load load = new Load(1, Starts.REPLY, owner);
      bench.compare(
          compared(
              load,
              "score increment in one set",
              many,
              n ->
                  (number, slot) ->
                      state.scores().increment(scores(n), name(number, n), 1).onComplete(slot)));
      bench.compare(
          compared(
              load,
              "score count between two bounds",
              many,
              n ->
                  (number, slot) ->
                      state.scores().count(scores(n), n / 4, n / 2).onComplete(slot)));
    }
  }

  private static String scores(int size) {
    return "scores:" + size;
  }

  private static RuntimeState state(int keys, RuntimeState small, RuntimeState large) {
    return keys == FEW ? small : large;
  }

  private static Comparison compared(Load load, String what, int many, IntFunction<Work> work) {
    List<Peer> peers =
        List.of(Peer.of(many + " keys", work.apply(many)), Peer.of(FEW + " keys", work.apply(FEW)));
    return Comparison.under(load, "owner's loop, 1 in flight: " + what, peers)
        .target(FEW + " keys", Target.atLeast(0.5));
  }

  private static String name(long number, int keys) {
    return "session:" + (number * 0x9E3779B97F4A7C15L >>> 1) % keys;
  }

  private static RuntimeState filled(Stage stage, Context owner, int keys) throws Exception {
    RuntimeState state = stage.memory(owner, keys);
    fill(owner, keys, (key, left) -> state.kv().set(key, Stage.VALUE, Stage.TTL));
    return state;
  }

  private static void bytesPerEntry(Bench bench, int many) throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      long empty = heap();
      Map<String, String> map = new HashMap<>();
      fill(owner, many, (key, left) -> put(map, key));
      long strings = heap() - empty;
      bench.figure(
          "heap per entry: HashMap of the same texts", (double) strings / many, "bytes", null);
      map.clear();

      AsyncMap<String, String> asyncMap =
          Stage.on(owner, () -> stage.vertx.sharedData().getLocalAsyncMap("scale"));
      long before = heap();
      fill(owner, many, (key, left) -> asyncMap.put(key, fresh(), Stage.TTL.toMillis()));
      bench.figure(
          "heap per entry: AsyncMap with ttl", (double) (heap() - before) / many, "bytes", null);
      Stage.on(owner, asyncMap::clear);

      long beforeOurs = heap();
      RuntimeState state = stage.memory(owner, many);
      fill(owner, many, (key, left) -> state.kv().set(key, fresh(), Stage.TTL));
      bench.figure(
          "heap per entry: ours, with ttl", (double) (heap() - beforeOurs) / many, "bytes", null);
      Stage.on(owner, state::close);
    }
  }

  private static Future<Void> put(Map<String, String> map, String key) {
    map.put(key, fresh());
    return Future.succeededFuture();
  }

  /** Every entry keeps a text of its own. */
  private static String fresh() {
    return new String(Stage.VALUE.toCharArray());
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Garbage collections hold the loop as well and are told beside it. */
  private static void expiryOfAll(Bench bench, int many) throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      RuntimeState state = stage.memory(owner, many);
      long at = System.nanoTime() + UNTIL_EXPIRY.toNanos();
      fill(owner, many, (key, left) -> state.kv().set(key, Stage.VALUE, until(at)));
      System.gc();
      Hold hold = new Hold(owner);
      Thread.sleep(Math.max(0, until(at).toMillis() - 1_000));
      long gcBefore = gcMillis();
      hold.start();
      while (state.statistics().await().store().orElseThrow().values() > 0) {
        Thread.sleep(50);
      }
      hold.stop();
      String what = "longest hold of the loop while " + many + " keys expire, ";
      Target target = Target.atMost(LONGEST_HOLD_MILLIS);
      bench.figure(what + "processor time", hold.workMillis(), "ms", target);
      bench.figure(what + "by the clock", hold.millis(), "ms", null);
      bench.figure("garbage collection meanwhile", gcMillis() - gcBefore, "ms", null);
    }
  }

  private static Duration until(long at) {
    return Duration.ofNanos(Math.max(1_000_000, at - System.nanoTime()));
  }

  private static long gcMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  private static void fill(Context owner, int keys, BiFunction<String, Integer, Future<Void>> put)
      throws Exception {
    Promise<Void> filled = Promise.promise();
    owner.runOnContext(now -> fillFrom(owner, 0, keys, put, filled));
    filled.future().await();
  }

  private static void fillFrom(
      Context owner,
      int from,
      int keys,
      BiFunction<String, Integer, Future<Void>> put,
      Promise<Void> filled) {
    int end = Math.min(keys, from + FILL_BATCH);
    for (int i = from; i < end; i++) {
      put.apply("session:" + i, keys - i).onFailure(filled::tryFail);
    }
    if (end == keys) {
      filled.tryComplete();
    } else {
      owner.runOnContext(next -> fillFrom(owner, end, keys, put, filled));
    }
  }

  /**
   * A task that follows itself: the longest time between two is the longest anybody waited. By the
   * clock other processes are in it, so the loop's processor time is told as well.
   */
  private static final class Hold {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Context context;
    private volatile boolean running;
    private volatile long longest;
    private volatile long longestWork;
    private long last;
    private long lastWork;

    Hold(Context context) {
      this.context = context;
    }

    void start() {
      running = true;
      context.runOnContext(
          now -> {
            last = System.nanoTime();
            lastWork = THREADS.getCurrentThreadCpuTime();
            turn();
          });
    }

    void stop() {
      running = false;
    }

    double millis() {
      return longest / 1e6;
    }

    double workMillis() {
      return longestWork / 1e6;
    }

    private void turn() {
      long now = System.nanoTime();
      long work = THREADS.getCurrentThreadCpuTime();
      longest = Math.max(longest, now - last);
      longestWork = Math.max(longestWork, work - lastWork);
      last = now;
      lastWork = work;
      if (running) {
        context.runOnContext(next -> turn());
      }
    }
  }
}
