package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.assertExpires;
import static io.runtimestate.contract.Ttls.assertMissing;
import static io.runtimestate.contract.Ttls.assertNoExpiry;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Keys;
import io.runtimestate.data.KeyTtl;
import io.runtimestate.data.KeyValue;
import io.runtimestate.data.ScanPage;
import io.runtimestate.data.Utf8;
import io.runtimestate.support.AlsoOnRedis;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

@AlsoOnRedis({"cluster", "resp2", "sentinel"})
class KeyContractTest {
  private static final int PRINTABLE_FROM = 0x20;
  private static final int PRINTABLE_TO = 0x7E;

  @EachBackend
  @DisplayName("C105 an expired value cannot be deleted")
  void delete_expired(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", ms(10)));
    f.pass(ms(60));
    assertThat(get(f.state().keys().delete(f.key("k")))).isFalse();
  }

  @EachBackend
  @DisplayName("4.1 delete tells whether there was a key")
  void delete_once(Fixture f) {
    set(f, "k");
    assertThat(get(f.state().keys().delete(f.key("k")))).isTrue();
    assertThat(get(f.state().keys().delete(f.key("k")))).isFalse();
    assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C107 deleteMany of nothing is 0")
  void deleteMany_empty(Fixture f) {
    assertThat(get(f.state().keys().deleteMany(List.of()))).isZero();
  }

  @EachBackend
  @DisplayName("C108 deleteMany counts distinct live keys")
  void deleteMany_distinct(Fixture f) {
    set(f, "a", "b", "c");
    List<String> keys =
        List.of(f.key("a"), f.key("b"), f.key("a"), f.key("missing"), f.key("b"), f.key("c"));
    assertThat(get(f.state().keys().deleteMany(keys))).isEqualTo(3);
  }

  @EachBackend
  @DisplayName("C109 deleteMany does not count expired keys")
  void deleteMany_expired(Fixture f) {
    get(f.state().kv().set(f.key("a"), "v", ms(10)));
    get(f.state().kv().set(f.key("b"), "v", ms(10)));
    f.pass(ms(60));
    assertThat(get(f.state().keys().deleteMany(List.of(f.key("a"), f.key("b"))))).isZero();
  }

  @EachBackend
  @DisplayName("C110 a raw key that looks like a physical one is only itself")
  void deleteMany_physicalLooks(Fixture f) {
    String looks = f.state().namespaceKey(f.key("x"));
    set(f, "x");
    get(f.state().kv().set(looks, "v"));
    assertThat(get(f.state().keys().deleteMany(List.of(looks)))).isEqualTo(1);
    assertThat(get(f.state().kv().get(looks))).isEmpty();
    assertThat(get(f.state().kv().get(f.key("x")))).contains("v");
  }

  @EachBackend
  @DisplayName("C111 C117 expire gives a key an end, below a millisecond too")
  void expire_ends(Fixture f) {
    set(f, "k", "tiny");
    assertThat(get(f.state().keys().expire(f.key("k"), ms(30)))).isTrue();
    assertThat(get(f.state().keys().expire(f.key("tiny"), Duration.ofNanos(400_000)))).isTrue();
    f.pass(ms(80));
    assertThat(get(f.state().kv().get(f.key("k")))).isEmpty();
    assertThat(get(f.state().kv().get(f.key("tiny")))).isEmpty();
  }

  @EachBackend
  @DisplayName("C112 expire with zero deletes at once, and tells whether there was a key")
  void expire_zero(Fixture f) {
    set(f, "k");
    assertThat(get(f.state().keys().expire(f.key("k"), Duration.ZERO))).isTrue();
    assertMissing(f.state(), f.key("k"));
    assertThat(get(f.state().keys().expire(f.key("k"), Duration.ZERO))).isFalse();
  }

  @EachBackend
  @DisplayName("C114 an expired key cannot be revived")
  void expire_expired(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", ms(10)));
    f.pass(ms(60));
    assertThat(get(f.state().keys().expire(f.key("k"), seconds(1)))).isFalse();
    assertThat(get(f.state().keys().expire(f.key("missing"), seconds(1)))).isFalse();
    assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("C118 expire makes a life longer and shorter")
  void expire_replaces(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", seconds(60)));
    assertThat(get(f.state().keys().expire(f.key("k"), Duration.ofHours(1)))).isTrue();
    assertExpires(f.state(), f.key("k"), seconds(60), Duration.ofHours(1));
    assertThat(get(f.state().keys().expire(f.key("k"), seconds(20)))).isTrue();
    assertExpires(f.state(), f.key("k"), seconds(5), seconds(20));
    assertThat(get(f.state().keys().expire(f.key("k"), Duration.ofDays(36_525)))).isTrue();
    assertInvalid(f.state().keys().expire(f.key("k"), Duration.ofDays(36_526)));
    assertExpires(f.state(), f.key("k"), Duration.ofDays(36_524), Duration.ofDays(36_525));
  }

  @EachBackend
  @DisplayName("C119 ttl has three answers")
  void ttl_answers(Fixture f) {
    Future<Void> long1 = f.state().kv().set(f.key("long"), "v", ms(1_500));
    Future<KeyTtl> longTtl = f.state().keys().ttl(f.key("long"));
    Future<Void> short1 = f.state().kv().set(f.key("short"), "v", ms(400));
    Future<KeyTtl> shortTtl = f.state().keys().ttl(f.key("short"));
    get(Future.all(long1, short1));
    assertThat(remaining(get(longTtl))).isBetween(ms(1_001), ms(1_500));
    assertThat(remaining(get(shortTtl))).isBetween(ms(1), ms(400));
    set(f, "none");
    assertNoExpiry(f.state(), f.key("none"));
    assertMissing(f.state(), f.key("missing"));
  }

  @EachBackend
  @DisplayName("G07 ttl is never 0: a key is missing or has at least a millisecond")
  void ttl_neverZero(Fixture f) {
    List<Future<KeyTtl>> answers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      f.state().kv().set(f.key("k"), "v", ms(2));
      for (int j = 0; j < 4; j++) {
        answers.add(f.state().keys().ttl(f.key("k")));
      }
      get(answers.get(answers.size() - 1));
    }
    for (Future<KeyTtl> answer : answers) {
      KeyTtl ttl = get(answer);
      if (!(ttl instanceof KeyTtl.Missing)) {
        assertThat(remaining(ttl)).isBetween(ms(1), ms(2));
      }
    }
  }

  @EachBackend
  @DisplayName("C129 persist removes an expiry once")
  void persist_once(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v", seconds(30)));
    set(f, "none");
    assertThat(get(f.state().keys().persist(f.key("k")))).isTrue();
    assertThat(get(f.state().keys().persist(f.key("none")))).isFalse();
    assertThat(get(f.state().keys().persist(f.key("missing")))).isFalse();
    assertNoExpiry(f.state(), f.key("k"));
    assertThat(get(f.state().keys().persist(f.key("k")))).isFalse();
  }

  @EachBackend
  @DisplayName("C130 a persisted value outlives its old expiry")
  void persist_outlives(Fixture f) {
    Future<Void> set = f.state().kv().set(f.key("k"), "v", ms(60));
    assertThat(get(f.state().keys().persist(f.key("k")))).isTrue();
    get(set);
    f.pass(ms(100));
    assertThat(get(f.state().kv().get(f.key("k")))).contains("v");
  }

  @EachBackend
  @DisplayName("C121 C122 list by prefix and by exact key")
  void list_prefixAndExact(Fixture f) {
    set(f, "a:1", "a:2", "b:1");
    assertListed(f, "a:*", "a:1", "a:2");
    assertListed(f, "a:1", "a:1");
    assertListed(f, "a:", new String[0]);
    assertListed(f, "missing", new String[0]);
  }

  @EachBackend
  @DisplayName("C123 C124 R03 only the last star is special")
  void list_literal(Fixture f) {
    set(f, "a?c", "abc", "a[b]c", "x*1", "xy1", "q\\1", "q1", "h^1", "h-1");
    assertListed(f, "a?c", "a?c");
    assertListed(f, "a[b]*", "a[b]c");
    assertListed(f, "a?*", "a?c");
    assertListed(f, "x**", "x*1");
    assertListed(f, "q\\*", "q\\1");
    assertListed(f, "h[^-]*", new String[0]);
    assertListed(f, "*1", new String[0]);
  }

  @EachBackend
  @DisplayName("4.7 a star alone matches every key, the empty prefix of all")
  void list_everything(Fixture f) {
    set(f, "a", "b");
    assertThat(get(f.state().keys().list("*", 10_000))).contains(f.key("a"), f.key("b"));
  }

  @EachBackend
  @DisplayName("C127 expired keys are not listed")
  void list_expired(Fixture f) {
    get(f.state().kv().set(f.key("gone"), "v", ms(10)));
    set(f, "here");
    f.pass(ms(60));
    assertListed(f, "*", "here");
    assertListed(f, "gone", new String[0]);
  }

  @EachBackend
  @DisplayName("C128 1 000 keys are listed whole whatever the hint, in byte order")
  void list_anyHint(Fixture f) {
    List<String> keys = new ArrayList<>(f.keys("\uD83D\uDE00", 500));
    keys.addAll(f.keys("\uFFFD", 500));
    setAll(f, keys);
    keys.sort(Utf8.BYTE_ORDER);
    for (int hint : new int[] {0, 1, 10_000, Integer.MAX_VALUE}) {
      assertThat(get(f.state().keys().list(f.key("*"), hint))).isEqualTo(keys);
    }
  }

  @EachBackend
  @DisplayName("C131 pages are unique, in byte order, and together complete")
  void scan_pages(Fixture f) {
    List<String> keys = f.keys("k", 300);
    setAll(f, keys);
    Set<String> found = new TreeSet<>();
    int pages = 0;
    String cursor = null;
    do {
      ScanPage page = get(f.state().keys().scan(f.key("*"), cursor, 10));
      assertThat(page.keys()).doesNotHaveDuplicates().isSortedAccordingTo(Utf8.BYTE_ORDER);
      found.addAll(page.keys());
      cursor = page.cursor().orElse(null);
      pages++;
    } while (cursor != null);
    assertThat(found).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(pages).isGreaterThan(5);
  }

  @EachBackend
  @DisplayName("4.7 keys that stay are found by a scan while others come and go")
  void scan_whileChanging(Fixture f) {
    List<String> staying = f.keys("s", 200);
    setAll(f, staying);
    Set<String> found = new TreeSet<>();
    String cursor = null;
    int turn = 0;
    do {
      ScanPage page = get(f.state().keys().scan(f.key("s*"), cursor, 20));
      found.addAll(page.keys());
      cursor = page.cursor().orElse(null);
      List<String> others = f.keys("o" + turn / 2, 400);
      if (turn++ % 2 == 0) {
        setAll(f, others);
      } else {
        get(f.state().keys().deleteMany(others));
      }
    } while (cursor != null);
    assertThat(found).containsExactlyInAnyOrderElementsOf(staying);
  }

  @EachBackend
  @DisplayName("C132 cursors of nowhere, empty patterns and negative hints are refused")
  void scan_refuses(Fixture f) {
    setAll(f, f.keys("k", 50));
    Keys keys = f.state().keys();
    String cursor = get(keys.scan("*", null, 1)).cursor().orElseThrow();
    List<String> cursors =
        List.of("garbage", "", "0", "-1", "18446744073709551616", cursor + "0", "m0-0", "\0");
    for (String bad : cursors) {
      assertInvalid(keys.scan("*", bad, 10)).startsWith("key.scan: ").contains("cursor");
    }
    assertInvalid(keys.scan(f.key("k*"), cursor, 10)).contains("cursor");
    assertInvalid(keys.scan("", null, 10)).contains("pattern");
    assertInvalid(keys.scan("*", null, -1)).contains("countHint");
    assertInvalid(keys.list("", 10)).contains("pattern");
    assertInvalid(keys.list("*", -1)).contains("countHint");
  }

  @EachBackend
  @DisplayName("C133 R05 names with every ASCII symbol, and long ones, are matched literally")
  void list_everySymbol(Fixture f) {
    String[] names =
        IntStream.rangeClosed(PRINTABLE_FROM, PRINTABLE_TO)
            .mapToObj(symbol -> "n" + (char) symbol + "n")
            .toArray(String[]::new);
    set(f, names);
    for (String name : names) {
      assertListed(f, name, name);
      assertListed(f, name.substring(0, 2) + "*", name);
    }
    String evil = "(a+)+$".repeat(1_700);
    set(f, evil + "1", evil + "2", "\\Qa\\E", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
    assertListed(f, evil + "*", evil + "1", evil + "2");
    assertListed(f, "(a+)+$*", evil + "1", evil + "2");
    assertListed(f, "\\Qa*", "\\Qa\\E");
  }

  private static Duration remaining(KeyTtl ttl) {
    assertThat(ttl).isInstanceOf(KeyTtl.Remaining.class);
    return ((KeyTtl.Remaining) ttl).ttl();
  }

  private static void set(Fixture f, String... names) {
    setAll(f, Arrays.stream(names).map(f::key).toList());
  }

  private static void setAll(Fixture f, List<String> keys) {
    get(f.state().kv().setMany(keys.stream().map(key -> new KeyValue(key, "v")).toList(), null));
  }

  private static void assertListed(Fixture f, String pattern, String... names) {
    List<String> expected = Arrays.stream(names).map(f::key).sorted(Utf8.BYTE_ORDER).toList();
    assertThat(get(f.state().keys().list(f.key(pattern)))).isEqualTo(expected);
  }
}
