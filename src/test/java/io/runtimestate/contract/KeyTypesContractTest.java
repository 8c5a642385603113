package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.TestQueue.fields;
import static io.runtimestate.contract.Ttls.assertExpires;
import static io.runtimestate.contract.Ttls.assertNoExpiry;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.Ttl;
import io.runtimestate.config.RedisTopology;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyValue;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.RateScope;
import io.runtimestate.support.AlsoOnRedis;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

/** One keyspace for values, sets, scores and streams: what happens where their types meet. */
@AlsoOnRedis({"cluster", "resp2"})
class KeyTypesContractTest {
  @EachBackend
  @DisplayName("C071 setIfAbsent leaves a set alone")
  void setIfAbsent_set(Fixture f) {
    addSet(f, "k");
    assertThat(get(f.state().kv().setIfAbsent(f.key("k"), "v"))).isFalse();
    assertSetIntact(f, "k");
  }

  @EachBackend
  @DisplayName("C072 get and take refuse a set and leave it alone")
  void read_set(Fixture f) {
    addSet(f, "k");
    assertFails(f.state().kv().get(f.key("k")), FailureCode.WRONG_TYPE);
    assertFails(f.state().kv().take(f.key("k")), FailureCode.WRONG_TYPE);
    assertSetIntact(f, "k");
  }

  @EachBackend
  @DisplayName("C073 set replaces a set, expiry and all")
  void set_replacesSet(Fixture f) {
    addSet(f, "k");
    expire(f, "k", seconds(30));
    get(f.state().kv().set(f.key("k"), "v"));
    assertThat(get(f.state().kv().get(f.key("k")))).contains("v");
    assertNoExpiry(f.state(), f.key("k"));
    assertFails(f.state().sets().size(f.key("k")), FailureCode.WRONG_TYPE);
  }

  @EachBackend
  @DisplayName("C074 getMany sees no value in a set, a score or a stream")
  void getMany_others(Fixture f) {
    addOneOfEach(f);
    assertThat(get(f.state().kv().getMany(f.keys("k", 4))))
        .containsExactly(Optional.of("v"), Optional.empty(), Optional.empty(), Optional.empty());
  }

  @EachBackend
  @DisplayName("setMany replaces a set like set does")
  void setMany_replacesSet(Fixture f) {
    addSet(f, "k");
    get(f.state().kv().setMany(List.of(new KeyValue(f.key("k"), "v")), seconds(30)));
    assertThat(get(f.state().kv().get(f.key("k")))).contains("v");
    assertExpires(f.state(), f.key("k"), seconds(20), seconds(30));
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.BUS})
  @DisplayName("C079 room for values is made of values only")
  void evict_valuesOnly(Fixture f) {
    RuntimeStateOptions options = f.options();
    options.getMemory().setMaxValues(1);
    RuntimeState state = f.open(options);
    for (String key : f.keys("k", 100)) {
      get(state.sets().add("set" + key, "m"));
      get(state.scores().set("score" + key, "m", 1));
      get(state.queues().append("stream" + key, fields("v")));
      get(state.kv().set("value" + key, "v"));
    }
    assertThat(get(state.keys().list("set*"))).hasSize(100);
    assertThat(get(state.keys().list("score*"))).hasSize(100);
    assertThat(get(state.keys().list("stream*"))).hasSize(100);
    assertThat(get(state.keys().list("value*"))).containsExactly("value" + f.key("k99"));
  }

  @EachBackend
  @DisplayName("C082 set with keepTtl takes over the expiry of a set")
  void keepTtl_set(Fixture f) {
    addSet(f, "k");
    expire(f, "k", seconds(30));
    get(f.state().kv().set(f.key("k"), "v", Ttl.keep()));
    assertThat(get(f.state().kv().get(f.key("k")))).contains("v");
    assertExpires(f.state(), f.key("k"), seconds(20), seconds(30));
  }

  @EachBackend
  @DisplayName("C090 C096 conditional changes and increments refuse a set")
  void change_set(Fixture f) {
    addSet(f, "k");
    assertFails(f.state().kv().compareAndSet(f.key("k"), "x", "y"), FailureCode.WRONG_TYPE);
    assertFails(f.state().kv().deleteIfEquals(f.key("k"), "x"), FailureCode.WRONG_TYPE);
    assertFails(f.state().kv().increment(f.key("k"), 1), FailureCode.WRONG_TYPE);
    assertThat(get(f.state().kv().compareAndSet(f.key("k"), null, "y"))).isFalse();
    assertSetIntact(f, "k");
  }

  @EachBackend
  @DisplayName("C106 a set, a score and a stream are deleted like a value")
  void delete_each(Fixture f) {
    addOneOfEach(f);
    for (String key : f.keys("k", 4)) {
      assertThat(get(f.state().keys().delete(key))).isTrue();
      assertThat(get(f.state().keys().exists(key))).isFalse();
    }
  }

  @EachBackend
  @DisplayName("C108 deleteMany counts keys of every type once")
  void deleteMany_each(Fixture f) {
    addOneOfEach(f);
    List<String> keys =
        List.of(f.key("k0"), f.key("k1"), f.key("k2"), f.key("k3"), f.key("k0"), f.key("missing"));
    assertThat(get(f.state().keys().deleteMany(keys))).isEqualTo(4);
  }

  @EachBackend
  @DisplayName("C115 C116 an expired set, score or stream is gone, its size 0")
  void expire_each(Fixture f) {
    addOneOfEach(f);
    f.keys("k", 4).forEach(key -> get(f.state().keys().expire(key, ms(30))));
    f.pass(ms(80));
    assertThat(get(f.state().sets().size(f.key("k1")))).isZero();
    assertThat(get(f.state().sets().members(f.key("k1")))).isEmpty();
    assertThat(get(f.state().scores().size(f.key("k2")))).isZero();
    assertThat(get(f.state().queues().groups(f.key("k3")))).isEmpty();
    f.keys("k", 4).forEach(key -> assertThat(get(f.state().keys().exists(key))).isFalse());
  }

  @EachBackend
  @DisplayName("C120 ttl tells the expiry of every type")
  void ttl_each(Fixture f) {
    addOneOfEach(f);
    for (String key : f.keys("k", 4)) {
      assertThat(get(f.state().keys().expire(key, seconds(30)))).isTrue();
      assertExpires(f.state(), key, seconds(20), seconds(30));
    }
  }

  @EachBackend
  @DisplayName("C126 a listing tells keys of every type")
  void list_each(Fixture f) {
    addOneOfEach(f);
    assertThat(get(f.state().keys().list(f.key("k*"))))
        .containsExactlyInAnyOrderElementsOf(f.keys("k", 4));
  }

  @EachBackend
  @DisplayName("C134 a reader that waits on a stream notices that a value replaced it")
  void blockedRead_replaced(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Future<?> blocked = queue.block("c", 1, 800);
    f.pass(ms(50));
    get(f.state().kv().set(queue.stream(), "value"));
    assertThat(Fails.failure(blocked).code())
        .isIn(FailureCode.NO_SUCH_STREAM, FailureCode.WRONG_TYPE);
  }

  @EachBackend
  @DisplayName("C027 data operations do not reach a lock")
  void lock_outOfReach(Fixture f) {
    String x = f.key("x");
    LockLease lease = get(f.state().locks().tryAcquire(x, "owner", seconds(60))).orElseThrow();
    assertThat(get(f.state().kv().get("lock:" + x))).isEmpty();
    assertThat(get(f.state().kv().get("lk:{" + x + "}"))).isEmpty();
    assertThat(get(f.state().keys().delete("lk:{" + x + "}"))).isFalse();
    assertThat(get(f.state().keys().delete(x))).isFalse();
    assertThat(get(f.state().locks().holder(x))).isPresent();
    assertThat(get(f.state().locks().release(lease))).isTrue();
  }

  @EachBackend
  @DisplayName("C030 with enforced slots rate scopes need a common tag, else nothing is counted")
  void rate_crossSlot(Fixture f) {
    RuntimeState state = f.open(f.options().setEnforceSlots(true));
    List<RateScope> apart = List.of(new RateScope("u", "u1", 5), new RateScope("k", "k1", 5));
    assertFails(state.rates().consume(apart, 1, seconds(9)), FailureCode.CROSS_SLOT)
        .contains("{tag}");
    assertThat(get(state.rates().count("u1", 1))).isZero();
    assertThat(get(state.rates().count("k1", 1))).isZero();
    List<RateScope> tagged =
        List.of(new RateScope("u", "{u1}:u", 5), new RateScope("k", "{u1}:k", 5));
    assertThat(get(state.rates().consume(tagged, 1, seconds(9))).isAllowed()).isTrue();
  }

  @EachBackend
  @DisplayName("C031 with enforced slots a transfer across them leaves the entry pending")
  void transfer_crossSlot(Fixture f) {
    RuntimeState state = f.open(f.options().setEnforceSlots(true));
    get(state.queues().ensureGroup("{a}s", "g"));
    String id = get(state.queues().append("{a}s", fields("v")));
    get(state.queues().read("{a}s", "g", "c"));
    assertFails(
        state.queues().transfer("{a}s", "g", id, "{b}d", fields("m")), FailureCode.CROSS_SLOT);
    assertThat(get(state.queues().pending("{a}s", "g")).entries()).hasSize(1);
    assertThat(get(state.keys().exists("{b}d"))).isFalse();
  }

  @EachBackend
  @DisplayName("C033 without a cluster, and slots not enforced, keys may be in different slots")
  void crossSlot_allowed(Fixture f) {
    if (f.options().getRedis().getTopology() == RedisTopology.CLUSTER) {
      return; // where they must not, which C030 and C031 show
    }
    List<RateScope> apart =
        List.of(new RateScope("u", f.key("u1"), 5), new RateScope("k", f.key("k1"), 5));
    assertThat(get(f.state().rates().consume(apart, 1, seconds(9))).isAllowed()).isTrue();
    TestQueue queue = TestQueue.of(f, "{a}s");
    String id = queue.append();
    queue.read("c", 1);
    assertThat(
            get(queue.queues().transfer(queue.stream(), "workers", id, f.key("d"), fields("m")))
                .isTransferred())
        .isTrue();
  }

  private static void addSet(Fixture f, String name) {
    get(f.state().sets().addAll(f.key(name), List.of("a", "b")));
  }

  private static void assertSetIntact(Fixture f, String name) {
    assertThat(get(f.state().sets().members(f.key(name)))).containsExactly("a", "b");
    assertNoExpiry(f.state(), f.key(name));
  }

  private static void expire(Fixture f, String name, Duration ttl) {
    assertThat(get(f.state().keys().expire(f.key(name), ttl))).isTrue();
  }

  /** The keys k0 to k3: a value, a set, a score and a stream. */
  private static void addOneOfEach(Fixture f) {
    get(f.state().kv().set(f.key("k0"), "v"));
    addSet(f, "k1");
    get(f.state().scores().set(f.key("k2"), "m", 1));
    get(f.state().queues().append(f.key("k3"), fields("v")));
  }
}
