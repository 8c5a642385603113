package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.KeyValue;
import io.runtimestate.data.RuntimeStateException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  private static final long NEVER = Entry.NEVER;
  private static final long EACH = Values.OVERHEAD + 2;

  private final ExpiryIndex expiry = new ExpiryIndex();
  private long now;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  @DisplayName("C075 C076 evicts the least recently written, as a linked map would")
  void put_evictsOldest(long seed) {
    Table table = new Table(8, true, Long.MAX_VALUE);
    Random random = new Random(seed);
    Map<String, String> model = new LinkedHashMap<>();
    for (int step = 0; step < 20_000; step++) {
      String key = "k" + random.nextInt(16);
      if (random.nextInt(4) == 0) {
        assertThat(table.keyspace.delete(key)).isEqualTo(model.remove(key) != null);
      } else {
        boolean known = model.remove(key) != null;
        if (!known && model.size() == 8) {
          model.remove(model.keySet().iterator().next());
        }
        model.put(key, "v" + step);
        table.put(key, "v" + step, NEVER);
      }
      table.assertHolds(model);
    }
  }

  @Test
  @DisplayName("C098 by policy a full table refuses new values and still overwrites")
  void put_rejects() {
    Table table = new Table(2, false, Long.MAX_VALUE);
    table.put("a", "1", NEVER);
    table.put("b", "1", 50);
    assertThatThrownBy(() -> table.put("c", "1", NEVER)).hasMessageContaining("memory.maxValues");
    table.put("a", "2", NEVER);
    table.assertHolds(Map.of("a", "2", "b", "1"));
    now = 50;
    table.put("c", "1", NEVER);
    table.assertHolds(Map.of("a", "2", "c", "1"));
    assertThat(table.values.evictions()).isZero();
  }

  @Test
  @DisplayName("3 expired values go before a live one is evicted")
  void put_expiredFirst() {
    Table table = new Table(3, true, Long.MAX_VALUE);
    table.put("old", "1", NEVER);
    table.put("expires", "1", 50);
    table.put("new", "1", NEVER);
    now = 50;
    table.put("d", "1", NEVER);
    table.assertHolds(Map.of("old", "1", "new", "1", "d", "1"));
    assertThat(table.values.evictions()).isZero();
    assertThat(table.keyspace.expirations()).isEqualTo(1);
  }

  @Test
  @DisplayName("C099 maxBytes refuses growth and never evicts; shrinking always works")
  void put_maxBytes() {
    Table table = new Table(100, true, 3 * EACH);
    for (String key : List.of("a", "b", "c")) {
      table.put(key, "1", NEVER);
    }
    assertThat(table.budget.used()).isEqualTo(3 * EACH);
    assertThatThrownBy(() -> table.put("d", "1", NEVER)).hasMessageContaining("memory.maxBytes");
    assertThatThrownBy(() -> table.put("a", "22", NEVER)).isInstanceOf(RuntimeStateException.class);
    table.assertHolds(Map.of("a", "1", "b", "1", "c", "1"));
    table.put("a", "", NEVER);
    table.put("b", "2é".substring(0, 1), NEVER);
    assertThat(table.budget.used()).isEqualTo(3 * EACH - 1);
    table.keyspace.delete("c");
    table.put("d", "é", NEVER);
    assertThat(table.budget.used()).isEqualTo(3 * EACH);
    assertThat(table.values.evictions()).isZero();
  }

  @Test
  @DisplayName("C100 expired objects make room when maxBytes is reached")
  void put_maxBytesReclaims() {
    Table table = new Table(100, false, 2 * EACH);
    table.put("a", "1", 50);
    table.put("b", "1", NEVER);
    now = 50;
    table.put("c", "1", NEVER);
    table.assertHolds(Map.of("b", "1", "c", "1"));
  }

  @Test
  @DisplayName("3 the place of an evicted value counts as free bytes")
  void put_evictedBytes() {
    Table table = new Table(2, true, 2 * EACH);
    table.put("a", "1", NEVER);
    table.put("b", "1", NEVER);
    table.put("c", "1", NEVER);
    table.assertHolds(Map.of("b", "1", "c", "1"));
    assertThatThrownBy(() -> table.put("d", "22", NEVER)).hasMessageContaining("memory.maxBytes");
    table.assertHolds(Map.of("b", "1", "c", "1"));
    assertThat(table.values.evictions()).isEqualTo(1);
  }

  @Test
  @DisplayName("3 many values are all refused or none")
  void requireRoom_allOrNone() {
    Table table = new Table(3, false, Long.MAX_VALUE);
    table.put("a", "1", NEVER);
    Map<String, String> three = Map.of("b", "1", "c", "1", "d", "1");
    assertThatThrownBy(() -> table.values.requireRoom(three)).hasMessageContaining("maxValues");
    table.values.requireRoom(Map.of("a", "2", "b", "1", "c", "1"));
    table.assertHolds(Map.of("a", "1"));
  }

  @Test
  @DisplayName("3.5 of entries that repeat a key the last counts, in the order of the first")
  void lastOfEach() {
    List<KeyValue> entries =
        List.of(new KeyValue("a", "1"), new KeyValue("b", "2"), new KeyValue("a", "3"));
    assertThat(new ArrayList<>(Values.lastOfEach(entries).values())).containsExactly("3", "2");
  }

  /** Values with all they need. */
  private final class Table {
    private final MemoryBudget budget;
    private final Keyspace keyspace;
    private final Values values;

    Table(int max, boolean evicts, long maxBytes) {
      budget = new MemoryBudget(maxBytes, this::reclaimOne);
      keyspace = new Keyspace(expiry, budget, () -> now);
      values = new Values(keyspace, max, evicts, this::reclaimOne);
    }

    private boolean reclaimOne() {
      Entry expired = expiry.pollExpired(now);
      if (expired != null) {
        expired.expire();
      }
      return expired != null;
    }

    void put(String key, String text, long deadline) {
      values.put(key, keyspace.find(key), text, deadline);
    }

    void assertHolds(Map<String, String> texts) {
      assertThat(keyspace.count(DataType.VALUE)).isEqualTo(texts.size());
      texts.forEach(
          (key, text) ->
              assertThat(keyspace.find(key, ValueEntry.class))
                  .as(key)
                  .isNotNull()
                  .extracting(ValueEntry::text)
                  .isEqualTo(text));
    }
  }
}
