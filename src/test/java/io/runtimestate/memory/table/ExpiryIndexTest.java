package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiryIndexTest {
  private final ExpiryIndex index = new ExpiryIndex();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  @DisplayName("gives what has expired, in order, as a sorted list would")
  void poll_asAModel(long seed) {
    Random random = new Random(seed);
    List<PlainEntry> entries = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      entries.add(new PlainEntry("k" + i));
    }
    Map<PlainEntry, Long> model = new IdentityHashMap<>();
    for (int step = 0; step < 20_000; step++) {
      PlainEntry entry = entries.get(random.nextInt(entries.size()));
      change(entry, random, model);
      assertThat(index.size()).isEqualTo(model.size());
      assertThat(index.notBefore()).isLessThanOrEqualTo(earliest(model));
      if (step % 7 == 0) {
        assertThat(index.earliest()).isEqualTo(earliest(model));
      }
      if (step % 50 == 0) {
        pollUntil(random.nextInt(1_000), model);
      }
    }
    pollUntil(Long.MAX_VALUE - 1, model);
    assertThat(index.size()).isZero();
  }

  private void change(PlainEntry entry, Random random, Map<PlainEntry, Long> model) {
    long deadline = random.nextInt(5) == 0 ? Entry.NEVER : random.nextInt(1_000);
    if (random.nextBoolean() && deadline == Entry.NEVER) {
      index.cancel(entry);
    } else {
      index.schedule(entry, deadline);
    }
    assertThat(entry.deadline()).isEqualTo(deadline);
    if (deadline == Entry.NEVER) {
      model.remove(entry);
    } else {
      model.put(entry, deadline);
    }
  }

  private void pollUntil(long now, Map<PlainEntry, Long> model) {
    long before = Long.MIN_VALUE;
    for (Entry expired = index.pollExpired(now);
        expired != null;
        expired = index.pollExpired(now)) {
      long deadline = model.remove((PlainEntry) expired);
      assertThat(deadline).isBetween(before, now);
      before = deadline;
      assertThat(expired.deadline()).isEqualTo(Entry.NEVER);
    }
    assertThat(earliest(model)).isGreaterThan(now);
  }

  private static long earliest(Map<PlainEntry, Long> model) {
    return model.values().stream().mapToLong(Long::longValue).min().orElse(Entry.NEVER);
  }

  @Test
  @DisplayName("0.3.2 a deadline has passed when now reaches it")
  void poll_boundary() {
    PlainEntry entry = new PlainEntry("k");
    index.schedule(entry, 10);
    assertThat(index.pollExpired(9)).isNull();
    assertThat(index.pollExpired(10)).isSameAs(entry);
    assertThat(index.pollExpired(10)).isNull();
  }

  @Test
  @DisplayName("what is put off is not due before its new deadline, and found one step at a time")
  void putOff() {
    List<PlainEntry> entries = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      PlainEntry entry = new PlainEntry("k" + i);
      entries.add(entry);
      index.schedule(entry, 10 + i);
      index.schedule(entry, 100 - i);
    }
    for (int step = 0; step < 10; step++) {
      assertThat(index.isDue(20)).isTrue();
      assertThat(index.settleFirst()).isNull();
    }
    assertThat(index.isDue(90)).isFalse();
    assertThat(index.notBefore()).isEqualTo(91);
    assertThat(index.pollExpired(100)).isSameAs(entries.get(9));
  }

  @Test
  @DisplayName("an empty index has no deadline; cancelling what is not there does nothing")
  void empty() {
    index.cancel(new PlainEntry("k"));
    assertThat(index.size()).isZero();
    assertThat(index.earliest()).isEqualTo(Entry.NEVER);
    assertThat(index.pollExpired(Long.MAX_VALUE)).isNull();
  }

  @Test
  @DisplayName("a hundred thousand entries come and go")
  void growsAndShrinks() {
    List<PlainEntry> entries = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      PlainEntry entry = new PlainEntry("k");
      entries.add(entry);
      index.schedule(entry, 100_000 - i);
    }
    assertThat(index.earliest()).isEqualTo(1);
    entries.subList(0, 99_990).forEach(index::cancel);
    assertThat(index.size()).isEqualTo(10);
    assertThat(index.pollExpired(100_000).deadline()).isEqualTo(Entry.NEVER);
    assertThat(index.earliest()).isEqualTo(2);
  }
}
