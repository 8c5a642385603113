package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedTreeTest {
  private final NamedTree<Scored> tree = new NamedTree<>(Scored.ORDER, name -> 10 + name.length());
  private final List<Scored> model = new ArrayList<>();
  private int named;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void removeRanks_ofAnySize(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      add(random, 200);
      List<Scored> before = List.copyOf(model);
      int from = random.nextInt(model.size() + 1);
      int to = from + random.nextInt(model.size() - from + 1);
      tree.removeRanks(from, to);
      model.subList(from, to).clear();
      check(before);
    }
    tree.removeRanks(0, tree.size());
    assertThat(tree.size()).isZero();
    assertThat(tree.bytes()).isZero();
  }

  private void add(Random random, int count) {
    for (int i = 0; i < count; i++) {
      Scored added = new Scored("m" + named++, random.nextInt(1_000));
      tree.add(added);
      model.add(added);
    }
    model.sort(Scored.ORDER);
  }

  private void check(List<Scored> before) {
    assertThat(tree.slice(0, tree.size())).isEqualTo(model);
    before.forEach(
        each -> assertThat(tree.get(each.key())).isSameAs(model.contains(each) ? each : null));
    assertThat(tree.bytes())
        .isEqualTo(model.stream().mapToLong(each -> 10 + each.key().length()).sum());
  }
}
