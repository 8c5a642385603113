package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.Utf8;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScoreEntryTest {
  private final MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE, () -> false);
  private final Keyspace keyspace = new Keyspace(new ExpiryIndex(), budget, () -> 0);
  private final ScoreEntry score = new ScoreEntry("k");
  private final Map<String, Double> model = new HashMap<>();

  @BeforeEach
  void add() {
    keyspace.add(score);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void randomHistory_likeSortedMap(long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 3_000; step++) {
      String member = (random.nextBoolean() ? "m" : "\uffff") + random.nextInt(200);
      double value = random.nextInt(40) - 20;
      switch (random.nextInt(6)) {
        case 0 -> removeRanks(random);
        case 1 -> remove(member);
        case 2 -> recordSample(member, value, random);
        default -> put(member, value);
      }
      check(value);
    }
    score.removeRanks(0, score.size());
    keyspace.remove(score);
    assertThat(budget.used()).isZero();
  }

  private void put(String member, double value) {
    score.put(member, value);
    model.put(member, value);
  }

  private void remove(String member) {
    Scored found = score.get(member);
    assertThat(found != null).isEqualTo(model.remove(member) != null);
    if (found != null) {
      score.remove(found);
    }
  }

  private void removeRanks(Random random) {
    int from = random.nextInt(score.size() + 1);
    int to = from + random.nextInt(Math.min(10, score.size() - from + 1));
    order().subList(from, to).forEach(model::remove);
    score.removeRanks(from, to);
  }

  /** The estimate made before the change is exactly what the change then adds. */
  private void recordSample(String member, double value, Random random) {
    int old = random.nextInt(Math.min(5, score.size() + 1));
    int maxSize = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(150);
    long before = score.bytes();
    long growth = score.growthOfSample(member, value, old, maxSize);
    score.recordSample(member, value, old, maxSize);
    assertThat(score.bytes() - before).isEqualTo(growth);
    order().subList(0, old).forEach(model::remove);
    model.put(member, value);
    order().subList(0, Math.max(0, model.size() - maxSize)).forEach(model::remove);
  }

  private List<String> order() {
    List<String> order = new ArrayList<>(model.keySet());
    order.sort(Comparator.<String, Double>comparing(model::get).thenComparing(Utf8.BYTE_ORDER));
    return order;
  }

  private void check(double point) {
    assertThat(score.ranks(0, score.size()).stream().map(Scored::key).toList()).isEqualTo(order());
    assertThat((long) score.countBelow(point))
        .isEqualTo(model.values().stream().filter(value -> value < point).count());
    assertThat((long) score.countUpTo(point))
        .isEqualTo(model.values().stream().filter(value -> value <= point).count());
    model.forEach((member, value) -> assertThat(score.get(member).score()).isEqualTo(value));
  }
}
