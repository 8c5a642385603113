package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.KeyValues;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.config.ValuePolicy;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyValue;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/** The capacity of memory, which Redis leaves to its server. */
class KvMemoryContractTest {
  private static final int KIB_64 = 64 << 10;
  private static final long MIB = 1L << 20;

  @EachBackend({DoorKind.MEMORY, DoorKind.BUS})
  @DisplayName("C075 C076 a full store evicts the least recently written, overwriting nothing")
  void evict_leastRecentlyWritten(Fixture f) {
    RuntimeState state = f.open(limited(f, 3, ValuePolicy.EVICT));
    setAll(state.kv(), "a", "b", "c", "b", "a");
    assertThat(live(state)).containsExactly("a", "b", "c");
    assertThat(get(state.keys().expire("c", seconds(60)))).isTrue();
    setAll(state.kv(), "d");
    assertThat(live(state)).containsExactly("a", "b", "d");
    assertThat(get(state.kv().increment("n", 1))).isEqualTo(1);
    assertThat(live(state)).containsExactly("a", "d", "n");
    assertThat(get(state.statistics()).store().orElseThrow().evictions()).isEqualTo(2);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("setMany takes the place of what has expired before it evicts anything")
  void setMany_expiredGoFirst(Fixture f) {
    FakeClock clock = new FakeClock();
    RuntimeState state = f.open(limited(f, 3, ValuePolicy.EVICT), clock);
    setAll(state.kv(), "a");
    get(state.kv().set("b", "v", seconds(5)));
    get(state.kv().set("c", "v", seconds(5)));
    clock.advance(seconds(5));
    get(state.kv().setMany(List.of(new KeyValue("d", "v"), new KeyValue("e", "v")), null));
    assertThat(live(state)).containsExactly("a", "d", "e");
    assertThat(get(state.statistics()).store().orElseThrow().evictions()).isZero();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("setMany into a full store needs no bytes that its evictions free, as set does")
  void setMany_evictionsFreeBytes(Fixture f) {
    RuntimeStateOptions options = limited(f, 3, ValuePolicy.EVICT);
    RuntimeState filled = f.open(options);
    setAll(filled.kv(), "a", "b", "c");
    long bytes = get(filled.statistics()).store().orElseThrow().bytes();
    options.getMemory().setMaxBytes(bytes);
    RuntimeState state = f.open(options);
    setAll(state.kv(), "a", "b", "c", "d");
    assertThat(live(state)).containsExactly("b", "c", "d");
    get(state.kv().setMany(List.of(new KeyValue("b", "w"), new KeyValue("e", "v")), null));
    assertThat(live(state)).containsExactly("b", "d", "e");
    Future<?> larger = state.kv().setMany(List.of(new KeyValue("f", "vv")), null);
    assertFails(larger, FailureCode.CAPACITY_EXHAUSTED).contains("memory.maxBytes");
    assertThat(live(state)).containsExactly("b", "d", "e");
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C078 a refused setIfAbsent evicts nothing")
  void setIfAbsent_refusedEvictsNothing(Fixture f) {
    RuntimeState state = f.open(limited(f, 2, ValuePolicy.EVICT));
    setAll(state.kv(), "a", "b");
    assertThat(get(state.kv().setIfAbsent("a", "w"))).isFalse();
    assertThat(get(state.kv().compareAndSet("c", "x", "w"))).isFalse();
    assertThat(live(state)).containsExactly("a", "b");
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.BUS})
  @DisplayName("C098 by policy a full store refuses new values, naming the option")
  void reject_newValues(Fixture f) {
    FakeClock clock = new FakeClock();
    RuntimeState state = f.open(limited(f, 2, ValuePolicy.REJECT), clock);
    setAll(state.kv(), "a");
    get(state.kv().set("b", "v", seconds(5)));
    List<Future<?>> refused =
        List.of(
            state.kv().set("c", "v"),
            state.kv().setIfAbsent("c", "v"),
            state.kv().increment("c", 1),
            state.kv().compareAndSet("c", null, "v"),
            state.kv().setMany(List.of(new KeyValue("a", "w"), new KeyValue("c", "v")), null));
    for (Future<?> call : refused) {
      assertFails(call, FailureCode.CAPACITY_EXHAUSTED)
          .startsWith("kv.")
          .contains("memory.maxValues", "2");
    }
    assertThat(get(state.kv().get("a"))).contains("v");
    setAll(state.kv(), "a");
    assertThat(live(state)).containsExactly("a", "b");
    clock.advance(seconds(5));
    setAll(state.kv(), "c");
    assertThat(live(state)).containsExactly("a", "c");
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C099 maxBytes refuses growth, evicts nothing, and lets shrinking pass")
  void maxBytes_refuses(Fixture f) {
    RuntimeStateOptions options = f.options();
    options.getMemory().setMaxBytes(MIB);
    RuntimeState state = f.open(options);
    String text = "x".repeat(KIB_64);
    int stored = 0;
    while (isStored(state, "k" + stored, text)) {
      stored++;
    }
    assertFails(state.kv().set("k" + stored, text), FailureCode.CAPACITY_EXHAUSTED)
        .contains("memory.maxBytes", "1048576");
    assertThat(stored).isEqualTo(15);
    assertThat(get(state.statistics()).store().orElseThrow().bytes()).isLessThanOrEqualTo(MIB);
    assertThat(live(state)).hasSize(15);
    get(state.kv().set("k3", "short"));
    get(state.kv().set("more", text));
    assertThat(live(state)).hasSize(16);
  }

  private static boolean isStored(RuntimeState state, String key, String text) {
    Future<Void> set = state.kv().set(key, text);
    Await.until(set::isComplete, "the write is answered");
    return set.succeeded();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C100 what has expired makes room under maxBytes")
  void maxBytes_reclaims(Fixture f) {
    FakeClock clock = new FakeClock();
    RuntimeStateOptions options = f.options();
    options.getMemory().setMaxBytes(MIB);
    RuntimeState state = f.open(options, clock);
    String most = "x".repeat(15 * KIB_64);
    get(state.kv().set("old", most, seconds(5)));
    assertFails(state.kv().set("new", most), FailureCode.CAPACITY_EXHAUSTED);
    clock.advance(seconds(5));
    get(state.kv().set("new", most));
    assertThat(live(state)).containsExactly("new");
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("0.5.3 when a later piece of a write is refused, the earlier ones stay, flagged")
  void setMany_laterPieceRefused(Fixture f) {
    RuntimeState state = f.open(limited(f, 1_500, ValuePolicy.REJECT));
    List<KeyValue> entries = new ArrayList<>();
    IntStream.range(0, 2_500).forEach(i -> entries.add(new KeyValue("k" + i, "v")));
    RuntimeStateException failure = Fails.failure(state.kv().setMany(entries, null));
    assertThat(failure.code()).isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
    assertThat(failure.mayHaveBeenApplied()).isTrue();
    assertThat(live(state)).hasSize(1_000);
    assertFails(state.kv().setMany(entries.subList(1_000, 2_000), null), failure.code());
    assertThat(live(state)).hasSize(1_000);
  }

  private static RuntimeStateOptions limited(Fixture f, int values, ValuePolicy policy) {
    RuntimeStateOptions options = f.options();
    options.getMemory().setMaxValues(values).setValuePolicy(policy);
    return options;
  }

  private static void setAll(KeyValues kv, String... keys) {
    for (String key : keys) {
      get(kv.set(key, "v"));
    }
  }

  private static List<String> live(RuntimeState state) {
    return get(state.keys().list("*"));
  }
}
