package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.assertExpires;
import static io.runtimestate.contract.Ttls.assertMissing;
import static io.runtimestate.contract.Ttls.assertNoExpiry;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.KeyValues;
import io.runtimestate.RuntimeState;
import io.runtimestate.Ttl;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyValue;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.support.AlsoOnRedis;
import io.runtimestate.support.Await;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;

@AlsoOnRedis({"cluster", "resp2", "limited"})
class KvContractTest {
  private static final Duration LONGEST = Duration.ofDays(36_525);

  @EachBackend
  @DisplayName("C052 get of a missing key is empty")
  void get_missing(Fixture f) {
    assertThat(get(f.state().kv().get(f.key("k")))).isEmpty();
    assertThat(get(f.state().kv().getOrDefault(f.key("k"), "other"))).isEqualTo("other");
  }

  @EachBackend
  @DisplayName("C054 a value is gone after its ttl")
  void set_expires(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", ms(30)));
    f.pass(ms(80));
    assertThat(get(f.state().kv().get(f.key("k")))).isEmpty();
    assertThat(get(f.state().keys().exists(f.key("k")))).isFalse();
  }

  @EachBackend
  @DisplayName("C055 set without ttl clears an earlier expiry")
  void set_clearsExpiry(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", seconds(30)));
    get(f.state().kv().set(f.key("k"), "w"));
    assertNoExpiry(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C056 set with ttl gives one to a value without")
  void set_addsExpiry(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v"));
    get(f.state().kv().set(f.key("k"), "w", seconds(30)));
    assertExpires(f.state(), f.key("k"), seconds(29), seconds(30));
  }

  @EachBackend
  @DisplayName("C057 set with zero ttl deletes the key, or does nothing")
  void set_zeroTtl(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", Duration.ZERO));
    assertMissing(f.state(), f.key("k"));
    get(f.state().kv().set(f.key("k"), "v"));
    get(f.state().kv().set(f.key("k"), "w", Duration.ZERO));
    assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C058 set with negative ttl is refused")
  void set_negativeTtl(Fixture f) {
    assertInvalid(f.state().kv().set(f.key("k"), "v", Duration.ofNanos(-1)))
        .contains("kv.set: ttl");
    assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C059 a ttl below a millisecond is one millisecond")
  void set_tinyTtl(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", Duration.ofNanos(500_000)));
    f.pass(ms(50));
    assertThat(get(f.state().kv().get(f.key("k")))).isEmpty();
  }

  @EachBackend
  @DisplayName("C060 the longest ttl is accepted, a longer one refused")
  void set_longestTtl(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", LONGEST));
    assertExpires(f.state(), f.key("k"), LONGEST.minus(seconds(20)), LONGEST);
    assertInvalid(f.state().kv().set(f.key("l"), "v", LONGEST.plusMillis(1)));
    assertInvalid(f.state().kv().set(f.key("l"), "v", Duration.ofSeconds(Long.MAX_VALUE)));
    assertMissing(f.state(), f.key("l"));
  }

  @EachBackend
  @DisplayName("C061 H03 any well-formed text survives, the empty one is present")
  void set_anyText(Fixture f) {
    List<String> texts =
        List.of(
            "",
            "\0",
            "\r\n",
            "\"'`\\",
            "漢字",
            "👩‍👩‍👧",
            "e\u0301",
            "é",
            "\u202Eabc",
            "\uFFFD\uFFFF",
            " ");
    for (String text : texts) {
      get(f.state().kv().set(f.key("k" + text), text));
      assertThat(get(f.state().kv().get(f.key("k" + text)))).contains(text);
    }
    assertThat(get(f.state().kv().get(f.key("k")))).contains("");
  }

  @EachBackend
  @DisplayName("C062 H05 values of many sizes come back whole, small reads beside them")
  void set_large(Fixture f) {
    for (int size : new int[] {511, 512, 65_535, 65_536, 5 << 20}) {
      String text = "é".repeat(size / 2) + "x".repeat(size % 2);
      Future<Void> set = f.state().kv().set(f.key("big"), text);
      get(f.state().kv().set(f.key("small"), "s"));
      get(set);
      Future<Optional<String>> large = f.state().kv().get(f.key("big"));
      assertThat(get(f.state().kv().get(f.key("small")))).contains("s");
      assertThat(get(large).orElseThrow().equals(text)).as("%d bytes", size).isTrue();
    }
  }

  @EachBackend
  @DisplayName("C063 an expired value cannot be taken")
  void take_expired(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", ms(20)));
    f.pass(ms(70));
    assertThat(get(f.state().kv().take(f.key("k")))).isEmpty();
  }

  @EachBackend
  @DisplayName("C064 of concurrent takers exactly one gets the value")
  void take_once(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v"));
    List<Future<Optional<String>>> takes = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      RuntimeState handle = i % 2 == 0 ? f.state() : f.second();
      takes.add(handle.kv().take(f.key("k")));
    }
    assertThat(takes.stream().flatMap(take -> get(take).stream())).containsExactly("v");
    assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C066 getMany answers position by position")
  void getMany_positions(Fixture f) {
    get(f.state().kv().set(f.key("a"), "1"));
    get(f.state().kv().set(f.key("c"), "3"));
    List<String> keys = List.of(f.key("c"), f.key("b"), f.key("a"), f.key("c"));
    assertThat(get(f.state().kv().getMany(keys)))
        .containsExactly(Optional.of("3"), Optional.empty(), Optional.of("1"), Optional.of("3"));
  }

  @EachBackend
  @DisplayName("C067 C068 setIfAbsent stores once, and again after expiry")
  void setIfAbsent_untilExpired(Fixture f) {
    KeyValues kv = f.state().kv();
    // Both in one go: between two waits of this thread 30 ms may pass.
    Future<Boolean> first = kv.setIfAbsent(f.key("k"), "first", ms(30));
    Future<Boolean> second = kv.setIfAbsent(f.key("k"), "second", seconds(30));
    Future<Optional<String>> read = kv.get(f.key("k"));
    assertThat(get(first)).isTrue();
    assertThat(get(second)).isFalse();
    assertThat(get(read)).contains("first");
    f.pass(ms(80));
    assertThat(get(kv.setIfAbsent(f.key("k"), "third", seconds(30)))).isTrue();
    assertThat(get(kv.get(f.key("k")))).contains("third");
  }

  @EachBackend
  @DisplayName("C069 setIfAbsent with zero ttl is refused")
  void setIfAbsent_zeroTtl(Fixture f) {
    assertInvalid(f.state().kv().setIfAbsent(f.key("k"), "v", Duration.ZERO));
    assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C070 a refused setIfAbsent leaves value and expiry")
  void setIfAbsent_refusedLeavesTtl(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", seconds(30)));
    assertThat(get(f.state().kv().setIfAbsent(f.key("k"), "w", seconds(300)))).isFalse();
    assertExpires(f.state(), f.key("k"), seconds(20), seconds(30));
    assertThat(get(f.state().kv().setIfAbsent(f.key("n"), "w"))).isTrue();
    assertNoExpiry(f.state(), f.key("n"));
  }

  @EachBackend
  @DisplayName("C080 200 values are set and read back")
  void set_many(Fixture f) {
    List<String> keys = f.keys("k", 200);
    List<Future<Void>> sets =
        keys.stream().map(key -> f.state().kv().set(key, "v" + key, seconds(30))).toList();
    sets.forEach(set -> get(set));
    List<Future<Optional<String>>> reads =
        keys.stream().map(key -> f.state().kv().get(key)).toList();
    IntStream.range(0, keys.size())
        .forEach(i -> assertThat(get(reads.get(i))).contains("v" + keys.get(i)));
  }

  @EachBackend
  @DisplayName("C081 keepTtl keeps the expiry there is")
  void set_keepTtl(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", seconds(30)));
    get(f.state().kv().set(f.key("n"), "v"));
    for (String name : List.of("k", "n", "missing")) {
      get(f.state().kv().set(f.key(name), "w", Ttl.keep()));
      assertThat(get(f.state().kv().get(f.key(name)))).contains("w");
    }
    assertExpires(f.state(), f.key("k"), seconds(20), seconds(30));
    assertNoExpiry(f.state(), f.key("n"));
    assertNoExpiry(f.state(), f.key("missing"));
  }

  @EachBackend
  @DisplayName("C083 ttl and keepTtl exclude each other")
  void set_bothTtls(Fixture f) {
    Future<?> set =
        f.vertx()
            .eventBus()
            .request(
                f.address("kv.set"),
                new JsonObject()
                    .put("key", f.key("k"))
                    .put("value", "v")
                    .put("ttl", 1000)
                    .put("keepTtl", true));
    assertThat(Await.failure(set)).hasMessageContaining("kv.set: ttl");
    assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C084 setMany sets all with one ttl; of a repeated key the last counts")
  void setMany_replaces(Fixture f) {
    get(f.state().kv().set(f.key("a"), "old"));
    get(f.state().kv().set(f.key("b"), "old", seconds(30)));
    get(
        f.state()
            .kv()
            .setMany(
                List.of(
                    new KeyValue(f.key("a"), "1"),
                    new KeyValue(f.key("b"), "2"),
                    new KeyValue(f.key("c"), "3"),
                    new KeyValue(f.key("c"), "4")),
                seconds(60)));
    assertThat(get(f.state().kv().getMany(List.of(f.key("a"), f.key("b"), f.key("c")))))
        .containsExactly(Optional.of("1"), Optional.of("2"), Optional.of("4"));
    for (String name : List.of("a", "b", "c")) {
      assertExpires(f.state(), f.key(name), seconds(40), seconds(60));
    }
  }

  @EachBackend
  @DisplayName("C085 setMany with zero ttl deletes, without ttl clears expiries")
  void setMany_ttls(Fixture f) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(f.key("a"), "1");
    values.put(f.key("b"), "2");
    get(f.state().kv().setMany(values, seconds(30)));
    get(f.state().kv().setMany(values, Duration.ZERO));
    assertMissing(f.state(), f.key("a"));
    assertMissing(f.state(), f.key("b"));
    get(f.state().kv().setMany(values, seconds(30)));
    get(f.state().kv().setMany(values, null));
    assertNoExpiry(f.state(), f.key("a"));
    assertNoExpiry(f.state(), f.key("b"));
  }

  @EachBackend
  @DisplayName("C086 setMany with one bad entry stores nothing and names it")
  void setMany_badEntry(Fixture f) {
    List<KeyValue> entries = List.of(new KeyValue(f.key("a"), "1"), new KeyValue("", "2"));
    assertInvalid(f.state().kv().setMany(entries, null)).contains("kv.setMany: entries[1].key");
    assertMissing(f.state(), f.key("a"));
  }

  @EachBackend
  @DisplayName("0.5 setMany of 2 500 entries, half of them repeated, sets them all")
  void setMany_chunks(Fixture f) {
    List<String> keys = f.keys("k", 1250);
    List<KeyValue> entries = new ArrayList<>();
    keys.forEach(key -> entries.add(new KeyValue(key, "first")));
    keys.forEach(key -> entries.add(new KeyValue(key, "v" + key)));
    get(f.state().kv().setMany(entries, seconds(30)));
    assertThat(get(f.state().kv().getMany(keys)))
        .containsExactlyElementsOf(keys.stream().map(key -> Optional.of("v" + key)).toList());
    assertExpires(f.state(), keys.get(1249), seconds(10), seconds(30));
  }

  @EachBackend
  @DisplayName("C087 G05 compareAndSet replaces an equal value and keeps its expiry")
  void compareAndSet_keepsTtl(Fixture f) {
    KeyValues kv = f.state().kv();
    get(kv.set(f.key("k"), "x", seconds(30)));
    assertThat(get(kv.compareAndSet(f.key("k"), "x", "y"))).isTrue();
    assertThat(get(kv.get(f.key("k")))).contains("y");
    assertExpires(f.state(), f.key("k"), seconds(20), seconds(30));
    assertThat(get(kv.compareAndSet(f.key("k"), "x", "z"))).isFalse();
    assertThat(get(kv.get(f.key("k")))).contains("y");
  }

  @EachBackend
  @DisplayName("C088 compareAndSet with ttl sets it, refused it leaves the old one")
  void compareAndSet_ttl(Fixture f) {
    KeyValues kv = f.state().kv();
    get(kv.set(f.key("k"), "x"));
    assertThat(get(kv.compareAndSet(f.key("k"), "x", "y", seconds(10)))).isTrue();
    assertExpires(f.state(), f.key("k"), seconds(1), seconds(10));
    assertThat(get(kv.compareAndSet(f.key("k"), "x", "z", Duration.ofHours(1)))).isFalse();
    assertExpires(f.state(), f.key("k"), seconds(1), seconds(10));
    assertInvalid(kv.compareAndSet(f.key("k"), "y", "z", Duration.ZERO));
  }

  @EachBackend
  @DisplayName("3.7 compareAndSet of a missing key, of nothing expected, of the empty text")
  void compareAndSet_expected(Fixture f) {
    KeyValues kv = f.state().kv();
    assertThat(get(kv.compareAndSet(f.key("k"), "", "y"))).isFalse();
    assertMissing(f.state(), f.key("k"));
    assertThat(get(kv.compareAndSet(f.key("k"), null, "", seconds(30)))).isTrue();
    assertExpires(f.state(), f.key("k"), seconds(20), seconds(30));
    assertThat(get(kv.compareAndSet(f.key("k"), null, "z", null))).isFalse();
    assertThat(get(kv.compareAndSet(f.key("k"), "", "z"))).isTrue();
    assertThat(get(kv.compareAndSet(f.key("k"), "", "q"))).isFalse();
    assertThat(get(kv.get(f.key("k")))).contains("z");
  }

  @EachBackend
  @DisplayName("C091 64 callers that compare and set lose no step")
  void compareAndSet_loops(Fixture f) {
    get(f.state().kv().set(f.key("k"), "0"));
    List<Future<Void>> callers =
        IntStream.range(0, 64)
            .mapToObj(i -> plusOne(i % 2 == 0 ? f.state() : f.second(), f.key("k")))
            .toList();
    callers.forEach(caller -> get(caller));
    assertThat(get(f.state().kv().get(f.key("k")))).contains("64");
  }

  private static Future<Void> plusOne(RuntimeState state, String key) {
    return state
        .kv()
        .get(key)
        .map(Optional::orElseThrow)
        .compose(
            now -> {
              String next = Long.toString(Long.parseLong(now) + 1);
              return state.kv().compareAndSet(key, now, next);
            })
        .compose(done -> done ? Future.succeededFuture() : plusOne(state, key));
  }

  @EachBackend
  @DisplayName("C092 deleteIfEquals deletes an equal value once")
  void deleteIfEquals_once(Fixture f) {
    get(f.state().kv().set(f.key("k"), "x"));
    assertThat(get(f.state().kv().deleteIfEquals(f.key("k"), "y"))).isFalse();
    assertThat(get(f.state().kv().get(f.key("k")))).contains("x");
    assertThat(get(f.state().kv().deleteIfEquals(f.key("k"), "x"))).isTrue();
    assertThat(get(f.state().kv().deleteIfEquals(f.key("k"), "x"))).isFalse();
    assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C093 G05 increment uses its ttl only when it creates the key")
  void increment_ttl(Fixture f) {
    assertThat(get(f.state().kv().increment(f.key("k"), 5, seconds(30)))).isEqualTo(5);
    assertThat(get(f.state().kv().increment(f.key("k"), -7, Duration.ofHours(1)))).isEqualTo(-2);
    assertExpires(f.state(), f.key("k"), seconds(20), seconds(30));
    assertThat(get(f.state().kv().increment(f.key("k"), 1))).isEqualTo(-1);
    assertExpires(f.state(), f.key("k"), seconds(20), seconds(30));
    assertInvalid(f.state().kv().increment(f.key("n"), 1, Duration.ZERO));
    assertMissing(f.state(), f.key("n"));
  }

  @EachBackend
  @DisplayName("C094 increment by zero creates the value 0")
  void increment_zero(Fixture f) {
    assertThat(get(f.state().kv().increment(f.key("k"), 0))).isZero();
    assertThat(get(f.state().kv().get(f.key("k")))).contains("0");
    assertNoExpiry(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C095 increment is exact over 64 bits and refuses to leave them")
  void increment_overflow(Fixture f) {
    edge(f, "max", Long.MAX_VALUE, 1);
    edge(f, "min", Long.MIN_VALUE, -1);
    assertThat(get(f.state().kv().increment(f.key("whole"), Long.MIN_VALUE)))
        .isEqualTo(Long.MIN_VALUE);
    assertThat(get(f.state().kv().increment(f.key("whole"), Long.MAX_VALUE))).isEqualTo(-1);
    assertFails(
        f.state().kv().increment(f.key("whole"), Long.MIN_VALUE), FailureCode.INVALID_INPUT);
    assertThat(get(f.state().kv().get(f.key("whole")))).contains("-1");
  }

  private static void edge(Fixture f, String name, long edge, long beyond) {
    KeyValues kv = f.state().kv();
    get(kv.set(f.key(name), Long.toString(edge), seconds(30)));
    assertInvalid(kv.increment(f.key(name), beyond)).startsWith("kv.increment: ");
    assertInvalid(kv.increment(f.key(name), beyond, seconds(90)));
    assertThat(get(kv.get(f.key(name)))).contains(Long.toString(edge));
    assertExpires(f.state(), f.key(name), seconds(20), seconds(30));
    assertThat(get(kv.increment(f.key(name), -beyond))).isEqualTo(edge - beyond);
  }

  @EachBackend
  @DisplayName("C096 increment of anything but a canonical integer is WRONG_TYPE")
  void increment_notCanonical(Fixture f) {
    KeyValues kv = f.state().kv();
    List<String> texts =
        List.of(
            "007",
            "+1",
            "-0",
            " 1",
            "1 ",
            "",
            "1.0",
            "1e3",
            "-",
            "0x1",
            "\u0661",
            "00",
            "-007",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999",
            "1\0");
    for (String text : texts) {
      get(kv.set(f.key("k"), text));
      assertFails(kv.increment(f.key("k"), 1), FailureCode.WRONG_TYPE).startsWith("kv.increment: ");
      assertFails(kv.increment(f.key("k"), 1, seconds(30)), FailureCode.WRONG_TYPE);
      assertThat(get(kv.get(f.key("k")))).contains(text);
      assertNoExpiry(f.state(), f.key("k"));
    }
  }

  @EachBackend
  @DisplayName("C097 200 concurrent increments answer 1 to 200")
  void increment_concurrent(Fixture f) {
    List<Future<Long>> increments =
        IntStream.range(0, 200)
            .mapToObj(i -> (i % 2 == 0 ? f.state() : f.second()).kv().increment(f.key("k"), 1))
            .toList();
    assertThat(increments.stream().map(increment -> get(increment)))
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 200).boxed().toList());
  }

  @EachBackend
  @DisplayName("0.9.1 an expired value counts as missing for every operation that asks")
  void expired_isMissing(Fixture f) {
    KeyValues kv = f.state().kv();
    for (String name : List.of("cas", "dele", "incr", "keep", "many", "absent")) {
      get(kv.set(f.key(name), "7", ms(1)));
    }
    f.pass(ms(50));
    assertThat(get(kv.compareAndSet(f.key("cas"), "7", "8"))).isFalse();
    assertThat(get(kv.deleteIfEquals(f.key("dele"), "7"))).isFalse();
    assertThat(get(kv.increment(f.key("incr"), 1))).isEqualTo(1);
    assertNoExpiry(f.state(), f.key("incr"));
    get(kv.set(f.key("keep"), "8", Ttl.keep()));
    assertNoExpiry(f.state(), f.key("keep"));
    assertThat(get(kv.getMany(List.of(f.key("many"))))).containsExactly(Optional.empty());
    assertThat(get(kv.setIfAbsent(f.key("absent"), "8"))).isTrue();
  }

  @EachBackend
  @DisplayName("G07 around its expiry a value is there, or gone, never without expiry")
  void increment_aroundExpiry(Fixture f) {
    List<String> keys = f.keys("k", 300);
    for (String key : keys) {
      get(f.state().kv().set(key, "1", ms(2)));
      get(f.state().execute(new KvOperation.Increment(key, 1, Optional.of(ms(2)))));
    }
    f.pass(ms(60));
    assertThat(get(f.state().keys().list(f.key("k*")))).isEmpty();
  }
}
