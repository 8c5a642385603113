package io.runtimestate.bench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.runtimestate.RuntimeState;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.shareddata.AsyncMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Values in memory, called from the owner's event loop and from others. */
final class MemoryScenario implements Scenario {
  private static final Integer[] DEPTHS = {1, 16, 256, 4_096};
  private static final String OURS = "ours";
  private static final String PLAIN_MAP = "AsyncMap";
  private static final String TTL_MAP = "AsyncMap with ttl";
  private static final String HOP = "runOnContext both ways";

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String title() {
    return "Memory: set and get of " + Stage.KEYS + " keys";
  }

  /** There are many rows, and a call is short. */
  @Override
  public int usualMillis() {
    return 300;
  }

  @Override
  public void run(Bench bench) throws Exception {
    try (Stage stage = new Stage()) {
      Contenders all = new Contenders(stage, stage.loop());
      for (int depth : bench.arguments().depths(DEPTHS)) {
        for (Starts starts : Starts.values()) {
          inPlace(bench, all, new Load(depth, starts, all.owner));
        }
      }
      List<Context> others = List.of(stage.loop(), stage.loop());
      for (int depth : bench.arguments().depths(DEPTHS)) {
        fromElsewhere(bench, all, new Load(depth, Starts.REPLY, others.get(0)));
        fromElsewhere(bench, all, new Load(depth, Starts.REPLY, others, false));
      }
    }
  }

  /** The floors are not targets: nothing that answers with a future can be as fast. */
  private static void inPlace(Bench bench, Contenders all, Load load) throws Exception {
    String where = "owner's loop, " + load.inFlight() + " " + load.starts() + ": ";
    bench.compare(
        Comparison.under(load, where + "set with ttl", all.setWithTtl())
            .target(TTL_MAP, Target.atLeast(5)));
    bench.compare(
        Comparison.under(load, where + "set", all.set()).target(PLAIN_MAP, Target.atLeast(1)));
    bench.compare(
        Comparison.under(load, where + "get", all.get()).target(PLAIN_MAP, Target.atLeast(1)));
  }

  private static void fromElsewhere(Bench bench, Contenders all, Load load) throws Exception {
    int loops = load.callers().size();
    String where =
        loops
            + (loops == 1 ? " other loop, " : " other loops, ")
            + load.inFlight()
            + " in flight: ";
    Comparison comparison = Comparison.under(load, where + "set with ttl", all.acrossLoops());
    if (load.inFlight() == 1) {
      comparison.target(HOP, Target.atLeast(1));
    } else if (load.inFlight() == 256 && loops == 2) {
      comparison.target(TTL_MAP, Target.atLeast(2));
    }
    bench.compare(comparison);
  }

  /** Everybody who can keep a value. */
  private static final class Contenders {
    private final Context owner;
    private final RuntimeState state;
    private final AsyncMap<String, String> map;
    private final AsyncMap<String, String> ttlMap;
    private final Cache<String, String> cache =
        Caffeine.newBuilder().expireAfterWrite(Stage.TTL).maximumSize(10L * Stage.KEYS).build();
    private final Map<String, String> hashMap = new HashMap<>();
    private final Map<String, String> owned = new ConcurrentHashMap<>();

    Contenders(Stage stage, Context owner) throws Exception {
      this.owner = owner;
      this.state = stage.memory(owner, 10 * Stage.KEYS);
      this.map = Stage.on(owner, () -> stage.vertx.sharedData().getLocalAsyncMap("plain"));
      this.ttlMap = Stage.on(owner, () -> stage.vertx.sharedData().getLocalAsyncMap("ttl"));
      Stage.on(owner, this::fill);
    }

    private Future<Void> fill() {
      for (long i = 0; i < 8L * Stage.KEYS; i++) {
        String key = Stage.key(i);
        state.kv().set(key, Stage.VALUE);
        map.put(key, Stage.VALUE);
        cache.put(key, Stage.VALUE);
        hashMap.put(key, Stage.VALUE);
        owned.put(key, Stage.VALUE);
      }
      return Future.succeededFuture();
    }

    List<Peer> setWithTtl() {
      return List.of(
          Peer.of(OURS, this::setOursWithTtl),
          Peer.of(TTL_MAP, this::putWithTtl),
          Peer.of(PLAIN_MAP, this::put),
          Peer.of("Caffeine", (n, slot) -> put(slot, n)),
          Peer.of(HOP, this::hop));
    }

    List<Peer> set() {
      return List.of(
          Peer.of(OURS, (n, slot) -> state.kv().set(Stage.key(n), Stage.VALUE).onComplete(slot)),
          Peer.of(PLAIN_MAP, this::put),
          Peer.of("Caffeine", (n, slot) -> put(slot, n)),
          Peer.of(
              "HashMap", (n, slot) -> slot.complete(hashMap.put(Stage.key(n), Stage.VALUE), null)));
    }

    List<Peer> get() {
      return List.of(
          Peer.of(OURS, (n, slot) -> state.kv().get(Stage.key(n)).onComplete(slot)),
          Peer.of(PLAIN_MAP, (n, slot) -> map.get(Stage.key(n)).onComplete(slot)),
          Peer.of("Caffeine", (n, slot) -> slot.complete(cache.getIfPresent(Stage.key(n)), null)),
          Peer.of("HashMap", (n, slot) -> slot.complete(hashMap.get(Stage.key(n)), null)));
    }

    List<Peer> acrossLoops() {
      return List.of(
          Peer.of(OURS, this::setOursWithTtl),
          Peer.of(TTL_MAP, this::putWithTtl),
          Peer.of(PLAIN_MAP, this::put),
          Peer.of(HOP, this::hop));
    }

    private void setOursWithTtl(long number, Slot slot) {
      state.kv().set(Stage.key(number), Stage.VALUE, Stage.TTL).onComplete(slot);
    }

    private void putWithTtl(long number, Slot slot) {
      ttlMap.put(Stage.key(number), Stage.VALUE, Stage.TTL.toMillis()).onComplete(slot);
    }

    private void put(long number, Slot slot) {
      map.put(Stage.key(number), Stage.VALUE).onComplete(slot);
    }

    private void put(Slot slot, long number) {
      cache.put(Stage.key(number), Stage.VALUE);
      slot.complete(null, null);
    }

    /** What anybody would write to share a map that one event loop owns. */
    private void hop(long number, Slot slot) {
      Promise<String> promise = ContextInternal.current().promise();
      owner.runOnContext(there -> promise.complete(owned.put(Stage.key(number), Stage.VALUE)));
      promise.future().onComplete(slot);
    }
  }
}
