package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.EntryId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdListTest {
  private record Item(EntryId id) implements IdList.Element {}

  private final IdList<Item> list = new IdList<>();
  private final TreeMap<EntryId, Item> model = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void randomHistory_agreesWithATreeMap(int seed) {
    Random random = new Random(seed);
    int range = seed % 2 == 0 ? 300 : 5_000;
    for (int step = 0; step < 30_000; step++) {
      EntryId id = new EntryId(random.nextInt(range), random.nextInt(2));
      boolean growing = step / 5_000 % 2 == 0;
      if (random.nextInt(10) < (growing ? 7 : 3)) {
        add(id);
      } else {
        remove(random.nextInt(4) == 0 && !model.isEmpty() ? model.firstKey() : id);
      }
      if (step % 50 == 0) {
        compareAt(new EntryId(random.nextInt(range), 1));
      }
    }
  }

  @Test
  void queue_neverKeepsMoreThanItHolds() {
    for (int i = 0; i < 100_000; i++) {
      add(new EntryId(i, 0));
      if (i >= 127) {
        remove(list.first().id());
      }
    }
    compareAt(EntryId.ZERO);
    assertThat(list.size()).isEqualTo(127);
  }

  private void add(EntryId id) {
    if (!model.containsKey(id)) {
      Item item = new Item(id);
      model.put(id, item);
      list.add(item);
    }
  }

  private void remove(EntryId id) {
    assertThat(list.remove(id)).isSameAs(model.remove(id));
  }

  private void compareAt(EntryId id) {
    assertThat(list.size()).isEqualTo(model.size());
    assertThat(list.isEmpty()).isEqualTo(model.isEmpty());
    assertThat(list.get(id)).isSameAs(model.get(id));
    assertThat(list.countAfter(id)).isEqualTo(model.tailMap(id, false).size());
    List<Item> from = new ArrayList<>();
    list.from(id, from::add);
    assertThat(from).containsExactlyElementsOf(model.tailMap(id, true).values());
    if (!model.isEmpty()) {
      assertThat(list.first()).isSameAs(model.firstEntry().getValue());
    }
  }
}
