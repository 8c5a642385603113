package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.Utf8;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankedTreeTest {
  private final RankedTree<Integer> tree = new RankedTree<>(Comparator.naturalOrder());
  private final List<Integer> model = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomHistory_likeSortedList(long seed) {
    Random random = new Random(seed);
    int range = seed % 2 == 0 ? 300 : 100_000;
    for (int step = 0; step < 3_000; step++) {
      boolean growing = step / 700 % 2 == 0;
      if (growing ? random.nextInt(10) > 1 : random.nextInt(10) > 6) {
        add(random.nextInt(range));
      } else if (!model.isEmpty()) {
        removeSome(random);
      }
      check(random);
    }
    removeRange(0, model.size());
    check(random);
  }

  @Test
  void ascending_fillsNodes() {
    for (int i = 0; i < 10_000; i++) {
      add(i);
    }
    assertThat(tree.slice(0, tree.size())).isEqualTo(model);
    removeRange(1, 9_999);
    assertThat(tree.slice(0, 2)).containsExactly(0, 9_999);
    add(5_000);
    assertThat(tree.slice(0, 3)).containsExactly(0, 5_000, 9_999);
  }

  @Test
  void descending_staysInOrder() {
    for (int i = 5_000; i > 0; i--) {
      add(i);
    }
    assertThat(tree.slice(0, tree.size())).isEqualTo(model);
  }

  @Test
  @DisplayName("a slice is a snapshot")
  void slice_isSnapshot() {
    add(1);
    add(2);
    List<Integer> slice = tree.slice(0, 2);
    removeRange(0, 1);
    assertThat(slice).containsExactly(1, 2);
  }

  @Test
  void largeRanges_leaveShallowTree() {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 200; i++) {
        add(random.nextInt(1_000_000));
      }
      int from = random.nextInt(model.size());
      removeRange(from, from + Math.min(random.nextInt(300), model.size() - from));
      check(random);
    }
  }

  @Test
  void texts_inByteOrder() {
    RankedTree<String> texts = new RankedTree<>(Utf8.BYTE_ORDER);
    List.of("\uffff", "\ud83d\ude00", "a", "é", "Z", "").forEach(texts::add);
    assertThat(texts.slice(0, 6)).containsExactly("", "Z", "a", "é", "\uffff", "\ud83d\ude00");
  }

  private void add(int element) {
    int at = Collections.binarySearch(model, element);
    assertThat(tree.contains(element)).isEqualTo(at >= 0);
    if (at < 0) {
      model.add(-at - 1, element);
      tree.add(element);
    }
  }

  private void removeSome(Random random) {
    int from = random.nextInt(model.size());
    int most = random.nextInt(20) == 0 ? 500 : 2;
    removeRange(from, Math.min(model.size(), from + random.nextInt(most) + 1));
  }

  private void removeRange(int from, int to) {
    model.subList(from, to).clear();
    tree.remove(from, to);
  }

  private void check(Random random) {
    assertThat(tree.size()).isEqualTo(model.size());
    int point = random.nextInt(100_000);
    int rank = Collections.binarySearch(model, point);
    assertThat(tree.rank(point)).isEqualTo(rank < 0 ? -rank - 1 : rank);
    if (!model.isEmpty()) {
      int from = random.nextInt(model.size());
      int to = from + random.nextInt(model.size() - from + 1);
      assertThat(tree.get(from)).isEqualTo(model.get(from));
      assertThat(tree.slice(from, to)).isEqualTo(model.subList(from, to));
    }
  }
}
