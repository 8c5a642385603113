package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DictionaryTest {
  private final Dictionary<PlainEntry> dictionary = new Dictionary<>();
  private final Map<String, PlainEntry> model = new HashMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  @DisplayName("finds what a map finds, while it grows and shrinks")
  void get_asAMap(long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 60_000; step++) {
      boolean growing = step / 10_000 % 2 == 0;
      change("k" + random.nextInt(8_000), random.nextInt(10) < (growing ? 8 : 2));
      assertThat(dictionary.size()).isEqualTo(model.size());
    }
    assertSameAsModel();
    new ArrayList<>(model.keySet()).forEach(key -> change(key, false));
    assertSameAsModel();
    assertThat(dictionary.size()).isZero();
  }

  private void change(String key, boolean add) {
    PlainEntry known = model.get(key);
    assertThat(dictionary.get(key)).isSameAs(known);
    if (add && known == null) {
      PlainEntry entry = new PlainEntry(key);
      dictionary.add(entry);
      model.put(key, entry);
    } else if (!add && known != null) {
      dictionary.remove(known);
      model.remove(key);
    }
  }

  private void assertSameAsModel() {
    for (int i = 0; i < 8_000; i++) {
      assertThat(dictionary.get("k" + i)).isSameAs(model.get("k" + i));
    }
  }

  @Test
  @DisplayName("a walk of a table at rest meets every entry exactly once")
  void scan_atRest() {
    addAll("k", 0, 1_000);
    List<PlainEntry> met = new ArrayList<>();
    long cursor = 0;
    do {
      cursor = dictionary.scan(cursor, met::add);
    } while (cursor != 0);
    assertThat(met)
        .hasSameSizeAs(model.values())
        .containsExactlyInAnyOrderElementsOf(model.values());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  @DisplayName("a walk meets what stays, however the table grows and shrinks meanwhile")
  void scan_whileChanging(long seed) {
    Random random = new Random(seed);
    addAll("stays", 0, 500);
    Set<String> stays = new HashSet<>(model.keySet());
    boolean growing = true;
    for (int walk = 0; walk < 10; walk++) {
      Set<String> met = new HashSet<>();
      long cursor = 0;
      do {
        cursor = dictionary.scan(cursor, entry -> met.add(entry.key()));
        growing = growing ? model.size() < 6_000 : model.size() < 600;
        if (growing) {
          addAll("goes" + random.nextInt(), 0, random.nextInt(40));
        } else {
          removeSome(random.nextInt(40), stays);
        }
      } while (cursor != 0);
      assertThat(met).containsAll(stays);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 255, 256, 300, 500, 511})
  @DisplayName("a walk meets what stays when the table grows or shrinks at any point of it")
  void scan_resizedOnce(int positions) {
    for (boolean grows : new boolean[] {true, false}) {
      model.values().forEach(dictionary::remove);
      model.clear();
      addAll("stays", 0, 300);
      Set<String> stays = Set.copyOf(model.keySet());
      addAll("goes", 0, grows ? 0 : 6_000);
      Set<String> met = new HashSet<>();
      long cursor = walk(positions * (grows ? 1L : 16L), 0, met);
      if (grows) {
        addAll("goes", 0, 6_000);
      } else {
        removeSome(6_000, stays);
      }
      if (cursor != 0) {
        walk(Long.MAX_VALUE, cursor, met);
      }
      assertThat(met).containsAll(stays);
    }
  }

  /** Walks so many positions, or to the end; returns the cursor. */
  private long walk(long positions, long from, Set<String> met) {
    long cursor = from;
    for (long i = 0; i < positions; i++) {
      cursor = dictionary.scan(cursor, entry -> met.add(entry.key()));
      if (cursor == 0) {
        break;
      }
    }
    return cursor;
  }

  @Test
  @DisplayName("an empty table is walked in one turn of its smallest size")
  void scan_empty() {
    long cursor = 0;
    int positions = 0;
    do {
      cursor = dictionary.scan(cursor, entry -> assertThat(entry).isNull());
      positions++;
    } while (cursor != 0);
    assertThat(positions).isLessThanOrEqualTo(16);
  }

  @Test
  @DisplayName("a cursor of any value ends its walk")
  void scan_anyCursor() {
    addAll("k", 0, 300);
    for (long start : new long[] {-1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 0x5555_5555L}) {
      long cursor = start;
      int positions = 0;
      do {
        cursor = dictionary.scan(cursor, entry -> {});
        positions++;
      } while (cursor != 0);
      assertThat(positions).isLessThanOrEqualTo(1_024);
    }
  }

  @Test
  @DisplayName("names with one hash code do not pile up, and a walk begun before starts over")
  void add_flooded() {
    List<String> colliding = colliding(13);
    int epoch = dictionary.epoch();
    for (String key : colliding) {
      add(key);
    }
    assertThat(colliding.stream().mapToInt(String::hashCode).distinct().count()).isEqualTo(1);
    assertThat(dictionary.epoch()).isEqualTo(epoch + 1);
    assertThat(longestBucket()).isLessThan(40);
    colliding.forEach(key -> assertThat(dictionary.get(key)).isSameAs(model.get(key)));
    new ArrayList<>(model.values()).forEach(dictionary::remove);
    assertThat(dictionary.size()).isZero();
  }

  @Test
  @DisplayName("ordinary names never change the hash")
  void add_ordinary() {
    addAll("user:", 0, 100_000);
    assertThat(dictionary.epoch()).isZero();
    assertThat(longestBucket()).isLessThan(20);
  }

  private int longestBucket() {
    int longest = 0;
    long cursor = 0;
    do {
      int[] met = {0};
      cursor = dictionary.scan(cursor, entry -> met[0]++);
      longest = Math.max(longest, met[0]);
    } while (cursor != 0);
    return longest;
  }

  /** All 2^n texts of n times "Aa" or "BB", which have the same hash code. */
  private static List<String> colliding(int pairs) {
    List<String> texts = List.of("");
    for (int i = 0; i < pairs; i++) {
      List<String> longer = new ArrayList<>();
      texts.forEach(text -> longer.addAll(List.of(text + "Aa", text + "BB")));
      texts = longer;
    }
    return texts;
  }

  private void addAll(String name, int from, int to) {
    for (int i = from; i < to; i++) {
      add(name + i);
    }
  }

  private void add(String key) {
    if (!model.containsKey(key)) {
      change(key, true);
    }
  }

  private void removeSome(int count, Set<String> but) {
    model.keySet().stream()
        .filter(key -> !but.contains(key))
        .limit(count)
        .toList()
        .forEach(key -> change(key, false));
  }
}
