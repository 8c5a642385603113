package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.ConsumerInfo;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.PendingEntry;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.QueueEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of one stream with three groups, compared step by step with a naive model. */
class StreamHistoryTest {
  private static final long MILLI = 1_000_000;
  private static final List<String> GROUPS = List.of("a", "b", "c");
  private static final List<String> CONSUMERS = List.of("x", "y", "z");

  private final Keyspace keyspace =
      new Keyspace(new ExpiryIndex(), new MemoryBudget(Long.MAX_VALUE, () -> false), () -> 0);
  private final Streams streams = new Streams(keyspace);
  private final TreeMap<EntryId, String> entries = new TreeMap<>();
  private final TreeMap<String, Group> groups = new TreeMap<>();
  private Random random;
  private long now;
  private EntryId last = EntryId.ZERO;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomHistory_agreesWithTheModel(long seed) {
    random = new Random(seed);
    step(4);
    for (int i = 0; i < 4_000; i++) {
      now += random.nextInt(5) * MILLI;
      step(random.nextInt(12));
      if (i % 20 == 0) {
        compare();
      }
    }
  }

  private void step(int kind) {
    switch (kind) {
      case 0, 1 -> append(1 + random.nextInt(5));
      case 2, 3 -> read();
      case 4 -> ensureGroup();
      case 5 -> finish();
      case 6 -> delete();
      case 7 -> claim();
      case 8 -> nack();
      case 9 -> extend();
      case 10 -> rarely();
      default -> page();
    }
  }

  private StreamEntry stream() {
    return keyspace.find("s", StreamEntry.class);
  }

  private ConsumerGroup real(String group) {
    return stream() == null ? null : stream().group(group);
  }

  private void append(int count) {
    long maxLen = random.nextInt(4) == 0 ? 1 + random.nextInt(60) : 0;
    List<Map<String, String>> added = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      added.add(Map.of("n", Integer.toString(i)));
    }
    for (EntryId id : streams.append("s", stream(), added, maxLen, 0, now / MILLI, now)) {
      assertThat(id).isGreaterThan(last);
      entries.put(id, added.get(0).get("n"));
      last = id;
    }
    while (maxLen > 0 && entries.size() > maxLen) {
      drop(entries.firstKey());
    }
  }

  private void drop(EntryId id) {
    entries.remove(id);
    groups.values().forEach(group -> group.pending.remove(id));
  }

  private void ensureGroup() {
    String name = pick(GROUPS);
    EntryId start = random.nextBoolean() ? EntryId.ZERO : anyId();
    boolean isNew = !groups.containsKey(name);
    assertThat(streams.ensureGroup("s", stream(), name, start)).isEqualTo(isNew);
    if (isNew) {
      groups.put(name, new Group(start));
    }
  }

  private void read() {
    onGroup(
        (group, real) -> {
          String consumer = pick(CONSUMERS);
          int count = 1 + random.nextInt(6);
          List<String> expected = new ArrayList<>();
          for (EntryId id : List.copyOf(entries.tailMap(group.position, false).keySet())) {
            if (expected.size() < count) {
              expected.add(id.toString());
              group.position = id;
              group.pending.put(id, new Held(consumer, now, 1, false));
              group.consumers.put(consumer, now);
            }
          }
          List<QueueEntry> got = real.deliver(consumer, count, now);
          assertThat(got).extracting(QueueEntry::id).containsExactlyElementsOf(expected);
          assertThat(got).allMatch(entry -> entry.deliveryCount() == 1);
        });
  }

  private void finish() {
    onGroup(
        (group, real) -> {
          EntryId id = anyPending(group);
          Optional<String> consumer = maybe(pick(CONSUMERS));
          boolean held = group.holds(id, consumer);
          assertThat(real.finish(id, consumer)).isEqualTo(held);
          if (held) {
            group.pending.remove(id);
          }
        });
  }

  private void delete() {
    EntryId id = anyId();
    if (stream() != null) {
      assertThat(stream().remove(id)).isEqualTo(entries.containsKey(id));
      drop(id);
    }
  }

  private void claim() {
    onGroup(
        (group, real) -> {
          String consumer = pick(CONSUMERS);
          int examine = 1 + random.nextInt(20);
          int take = 1 + random.nextInt(5);
          long minIdle = random.nextInt(60);
          EntryId start = anyPending(group);
          List<String> expected = new ArrayList<>();
          String next = "0-0";
          int examined = 0;
          for (EntryId id : group.pending.tailMap(start, true).keySet()) {
            if (examined == examine || expected.size() == take) {
              next = id.toString();
              break;
            }
            examined++;
            Held held = group.pending.get(id);
            if (held.nacked || (now - held.since) / MILLI >= minIdle) {
              held.redelivered(consumer, now);
              group.consumers.put(consumer, now);
              expected.add(id + "/" + held.count);
            }
          }
          ClaimPage page = real.claim(consumer, minIdle, start, examine, take, now);
          assertThat(page.next()).isEqualTo(next);
          assertThat(page.entries())
              .extracting(entry -> entry.id() + "/" + entry.deliveryCount())
              .containsExactlyElementsOf(expected);
        });
  }

  private void nack() {
    onGroup(
        (group, real) -> {
          EntryId id = anyPending(group);
          String consumer = pick(CONSUMERS);
          boolean counts = random.nextBoolean();
          boolean held = group.holds(id, Optional.of(consumer));
          assertThat(real.nack(id, consumer, counts, now)).isEqualTo(held);
          if (held) {
            group.pending.get(id).nack(counts, now);
          }
        });
  }

  private void extend() {
    onGroup(
        (group, real) -> {
          EntryId id = anyPending(group);
          String consumer = pick(CONSUMERS);
          boolean held = group.holds(id, Optional.of(consumer));
          assertThat(real.extend(id, consumer, now)).isEqualTo(held);
          if (held) {
            group.pending.get(id).since = now;
            group.pending.get(id).nacked = false;
          }
        });
  }

  private void page() {
    onGroup(
        (group, real) -> {
          Optional<String> consumer = maybe(pick(CONSUMERS));
          EntryId start = anyPending(group);
          int count = 1 + random.nextInt(5);
          List<String> rest = new ArrayList<>();
          group.pending.tailMap(start, true).entrySet().stream()
              .filter(held -> consumer.isEmpty() || held.getValue().consumer.equals(consumer.get()))
              .forEach(held -> rest.add(described(held.getKey(), held.getValue())));
          PendingPage page = real.page(start, count, consumer, now);
          assertThat(page.entries())
              .extracting(StreamHistoryTest::described)
              .containsExactlyElementsOf(rest.subList(0, Math.min(count, rest.size())));
          assertThat(page.isLast()).isEqualTo(rest.size() <= count);
          if (!page.isLast()) {
            assertThat(rest.get(count)).startsWith(page.next() + " ");
          }
        });
  }

  private void rarely() {
    onGroup(
        (group, real) -> {
          String consumer = pick(CONSUMERS);
          boolean discard = random.nextInt(4) == 0;
          Predicate<Held> own = held -> held.consumer.equals(consumer);
          long held = group.pending.values().stream().filter(own).count();
          boolean known = group.consumers.containsKey(consumer);
          boolean removed = known && (held == 0 || discard);
          var answer = real.remove(consumer, discard);
          assertThat(answer.removed()).isEqualTo(removed);
          assertThat(answer.pending()).isEqualTo(held);
          if (removed) {
            group.consumers.remove(consumer);
            group.pending.values().removeIf(own);
          }
        });
    if (random.nextInt(10) == 0) {
      String name = pick(GROUPS);
      assertThat(stream() != null && stream().removeGroup(name))
          .isEqualTo(groups.remove(name) != null);
    }
  }

  private void compare() {
    if (stream() == null) {
      return;
    }
    assertThat(stream().length()).isEqualTo(entries.size());
    assertThat(stream().groups(now))
        .extracting(GroupInfo::name)
        .containsExactlyElementsOf(groups.keySet());
    for (GroupInfo info : stream().groups(now)) {
      compare(groups.get(info.name()), info);
    }
  }

  private void compare(Group group, GroupInfo info) {
    assertThat(info.lag()).isEqualTo(entries.tailMap(group.position, false).size());
    assertThat(info.pending()).isEqualTo(group.pending.size());
    assertThat(info.lastDeliveredId()).isEqualTo(group.position.toString());
    assertThat(info.consumers())
        .extracting(ConsumerInfo::name)
        .containsExactlyElementsOf(group.consumers.keySet());
    assertThat(real(info.name()).oldestIdle(now))
        .isEqualTo(
            group.pending.values().stream()
                .map(held -> Duration.ofMillis((now - held.since) / MILLI))
                .max(Duration::compareTo));
    for (ConsumerInfo consumer : info.consumers()) {
      assertThat(consumer.pending())
          .isEqualTo(
              group.pending.values().stream()
                  .filter(held -> held.consumer.equals(consumer.name()))
                  .count());
      assertThat(consumer.idle().toMillis())
          .isEqualTo((now - group.consumers.get(consumer.name())) / MILLI);
    }
  }

  private static String described(PendingEntry entry) {
    return entry.id()
        + " "
        + entry.consumer()
        + " "
        + entry.deliveryCount()
        + " "
        + entry.nacked()
        + " "
        + entry.idle().toMillis();
  }

  private String described(EntryId id, Held held) {
    return id
        + " "
        + held.consumer
        + " "
        + held.count
        + " "
        + held.nacked
        + " "
        + (now - held.since) / MILLI;
  }

  private void onGroup(java.util.function.BiConsumer<Group, ConsumerGroup> action) {
    String name = pick(GROUPS);
    Group group = groups.get(name);
    assertThat(real(name) == null).isEqualTo(group == null);
    if (group != null) {
      action.accept(group, real(name));
    }
  }

  private EntryId anyPending(Group group) {
    List<EntryId> ids = new ArrayList<>(new TreeSet<>(group.pending.keySet()));
    return ids.isEmpty() || random.nextInt(8) == 0 ? anyId() : pick(ids);
  }

  private EntryId anyId() {
    List<EntryId> ids = new ArrayList<>(entries.keySet());
    return ids.isEmpty() || random.nextInt(8) == 0
        ? new EntryId(random.nextInt(20_000), 0)
        : pick(ids);
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private Optional<String> maybe(String text) {
    return random.nextBoolean() ? Optional.of(text) : Optional.empty();
  }

  private static final class Group {
    private final TreeMap<EntryId, Held> pending = new TreeMap<>();
    private final TreeMap<String, Long> consumers = new TreeMap<>();
    private EntryId position;

    Group(EntryId start) {
      position = start;
    }

    boolean holds(EntryId id, Optional<String> consumer) {
      Held held = pending.get(id);
      return held != null && (consumer.isEmpty() || held.consumer.equals(consumer.get()));
    }
  }

  private static final class Held {
    private String consumer;
    private long since;
    private long count;
    private boolean nacked;

    Held(String consumer, long since, long count, boolean nacked) {
      this.consumer = consumer;
      this.since = since;
      this.count = count;
      this.nacked = nacked;
    }

    void redelivered(String by, long now) {
      consumer = by;
      since = now;
      count++;
      nacked = false;
    }

    void nack(boolean counts, long now) {
      if (!nacked) {
        nacked = true;
        since = now;
        count = counts ? count : Math.max(0, count - 1);
      }
    }
  }
}
