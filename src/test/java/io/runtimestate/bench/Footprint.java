package io.runtimestate.bench;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.UsageRule;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.shareddata.AsyncMap;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** How much heap an entry takes, its texts included, when there are many of them. */
final class Footprint {
  private static final Duration DAY = Duration.ofDays(1);

  private final Bench bench;
  private final int entries;

  Footprint(Bench bench, int entries) {
    this.bench = bench;
    this.entries = entries;
  }

  void measure() throws Exception {
    ofOthers();
    of("kv with ttl", state -> name -> state.kv().set(name, fresh(), Stage.TTL));
    of("set member", state -> name -> state.sets().add("set", name));
    of("score", state -> name -> state.scores().set("scores", name, name.hashCode()));
    of("queue entry of one field", state -> name -> state.queues().append("queue", field(name)));
    of("usage event", state -> name -> state.usage().consume(wide(), name));
    of("usage window of one event", state -> name -> state.usage().consume(own(name), "event"));
    of("rate counter", state -> name -> state.rates().consume(scope(name), 1, DAY));
    of("lock", state -> name -> state.locks().tryAcquire(name, "node-1", DAY));
    of(
        "permit",
        state -> name -> state.semaphores().tryAcquire("gate", null, Integer.MAX_VALUE, DAY));
  }

  private static Map<String, String> field(String name) {
    return Map.of(name, fresh());
  }

  private static List<UsageRule> wide() {
    return List.of(new UsageRule("{window}", Long.MAX_VALUE >>> 11, DAY));
  }

  private static List<UsageRule> own(String name) {
    return List.of(new UsageRule("{" + name + "}", 10, DAY));
  }

  private static List<RateScope> scope(String name) {
    return List.of(new RateScope("client", name, 4_000_000_000L));
  }

  private void of(String what, Function<RuntimeState, Function<String, Future<?>>> put)
      throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      ScaleWorld world = ScaleWorld.open(stage, owner, entries);
      long before = used();
      world.fill(put.apply(world.state()));
      tell("ours, " + what, used() - before);
    }
  }

  /** The texts alone, and the only other map of Vert.x with expiry. */
  private void ofOthers() throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      long before = used();
      Map<String, String> map = new HashMap<>();
      Chain.on(owner, entries, i -> put(map, ScaleWorld.name(i)));
      tell("HashMap of the same keys and values", used() - before);
      map.clear();
      AsyncMap<String, String> asyncMap =
          Stage.on(owner, () -> stage.vertx.sharedData().getLocalAsyncMap("scale"));
      long empty = used();
      Chain.on(
          owner, entries, i -> asyncMap.put(ScaleWorld.name(i), fresh(), Stage.TTL.toMillis()));
      tell("AsyncMap with ttl", used() - empty);
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

  private void tell(String what, long bytes) throws Exception {
    bench.figure("heap per entry: " + what, (double) bytes / entries, "bytes", null);
  }

  private static long used() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
