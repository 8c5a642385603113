package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StreamsTest {
  private final ExpiryIndex expiry = new ExpiryIndex();
  private final MemoryBudget budget = new MemoryBudget(1_000_000, () -> false);
  private final Keyspace keyspace = new Keyspace(expiry, budget, () -> 0);
  private final Streams streams = new Streams(keyspace);

  @Test
  void ids_growWhenTheClockStepsBack() {
    EntryId first = append("s", 0, 1_000);
    EntryId second = append("s", 0, 1_000);
    EntryId third = append("s", 0, 500);
    assertThat(List.of(first, second, third))
        .containsExactly(new EntryId(1_000, 0), new EntryId(1_000, 1), new EntryId(1_000, 2));
    stream("s").remove(third);
    assertThat(append("s", 0, 1_000)).isEqualTo(new EntryId(1_000, 3));
  }

  @Test
  void ids_carryIntoTheFirstHalfAndEnd() {
    append("s", 0, 1);
    stream("s").continueAfter(new EntryId(7, -1));
    assertThat(append("s", 0, 7)).isEqualTo(new EntryId(8, 0));
    stream("s").continueAfter(new EntryId(-1, -2));
    assertThatThrownBy(() -> appendMany("s", 2, 0, 1)).satisfies(StreamsTest::exhausted);
    assertThat(stream("s").length()).isEqualTo(2);
    assertThat(append("s", 0, 1)).isEqualTo(EntryId.LAST);
    assertThatThrownBy(() -> append("s", 0, 1)).satisfies(StreamsTest::exhausted);
    assertThat(stream("s").length()).isEqualTo(3);
  }

  @Test
  void budget_countsEverythingOnceAndReturnsToZero() {
    appendMany("s", 10, 0, 1);
    streams.ensureGroup("s", stream("s"), "g", EntryId.ZERO);
    group("s", "g").deliver("c", 10, 0);
    assertThat(budget.used()).isPositive();
    streams.removeOldest(stream("s"), 10);
    group("s", "g").remove("c", true);
    stream("s").removeGroup("g");
    assertThat(budget.used()).isEqualTo(stream("s").bytes());
    keyspace.delete("s");
    assertThat(budget.used()).isZero();
  }

  @Test
  void append_refusesWithoutRoomAndChangesNothing() {
    Streams small = new Streams(new Keyspace(expiry, new MemoryBudget(600, () -> false), () -> 0));
    Map<String, String> fields = Map.of("f", "x".repeat(600));
    assertThatThrownBy(() -> small.append("s", null, List.of(fields), 0, 0, 1, 0))
        .satisfies(StreamsTest::exhausted);
  }

  @Test
  void append_withinALimitNeedsNoRoomForWhatItTrims() {
    MemoryBudget tight = new MemoryBudget(1_000, () -> false);
    Keyspace home = new Keyspace(expiry, tight, () -> 0);
    Streams limited = new Streams(home);
    Map<String, String> fields = Map.of("f", "x".repeat(100));
    limited.append("s", null, List.of(fields, fields), 2, 0, 1, 0);
    for (int i = 0; i < 20; i++) {
      StreamEntry stream = home.find("s", StreamEntry.class);
      limited.append("s", stream, List.of(fields, fields, fields), 2, 0, 1, 0);
      assertThat(stream.length()).isEqualTo(2);
      assertThat(tight.used()).isLessThan(1_000);
    }
  }

  @Test
  void waiters_areServedInOrderUpToTheirCount() {
    streams.ensureGroup("s", null, "g", EntryId.ZERO);
    streams.ensureGroup("s", stream("s"), "other", EntryId.ZERO);
    List<Reader> readers = List.of(wait("g", 2), wait("g", 2), wait("g", 2), wait("g", 2));
    Reader other = wait("other", 10);
    appendMany("s", 5, 0, 1);
    assertThat(readers.stream().map(reader -> reader.got == null ? -1 : reader.got.size()))
        .containsExactly(2, 2, 1, -1);
    assertThat(other.got).hasSize(5);
  }

  @Test
  void waiters_thatLeftAreNotServed() {
    streams.ensureGroup("s", null, "g", EntryId.ZERO);
    Reader first = wait("g", 1);
    Reader second = wait("g", 1);
    Reader third = wait("g", 1);
    second.expire();
    first.leave();
    append("s", 0, 1);
    assertThat(first.got).isNull();
    assertThat(second.got).isEmpty();
    assertThat(third.got).hasSize(1);
  }

  @Test
  void waiters_failWithWhatTheyWaitFor() {
    streams.ensureGroup("s", null, "g", EntryId.ZERO);
    streams.ensureGroup("s", stream("s"), "h", EntryId.ZERO);
    Reader inGroup = wait("g", 1);
    Reader inStream = wait("h", 1);
    stream("s").removeGroup("g");
    keyspace.delete("s");
    assertThat(inGroup.failure).isEqualTo(FailureCode.NO_SUCH_GROUP);
    assertThat(inStream.failure).isEqualTo(FailureCode.NO_SUCH_STREAM);
  }

  @Test
  void trim_countsAnUnfinishedEntryOnce() {
    appendMany("s", 4, 0, 1);
    streams.ensureGroup("s", stream("s"), "a", EntryId.ZERO);
    streams.ensureGroup("s", stream("s"), "b", EntryId.ZERO);
    List<QueueEntry> read = group("s", "a").deliver("c", 2, 0);
    group("s", "b").deliver("c", 2, 0);
    read.forEach(entry -> finish(entry.id(), "a"));
    finish(read.get(0).id(), "b");
    streams.removeOldest(stream("s"), 4); // finished, pending in b, undelivered twice
    assertThat(streams.trimmedUnfinished()).isEqualTo(3);
    assertThat(group("s", "b").pending()).isZero();
    assertThat(group("s", "b").lag()).isZero();
  }

  @Test
  void group_startedAheadDoesNotSeeWhatComesBelow() {
    streams.ensureGroup("s", null, "g", new EntryId(10, 0));
    append("s", 0, 5);
    append("s", 0, 10);
    assertThat(group("s", "g").lag()).isZero();
    append("s", 0, 11);
    assertThat(group("s", "g").lag()).isEqualTo(1);
    assertThat(group("s", "g").deliver("c", 5, 0)).hasSize(1);
  }

  private void finish(String id, String group) {
    assertThat(group("s", group).finish(EntryId.parse(id), Optional.empty())).isTrue();
  }

  private EntryId append(String key, long maxLen, long unixMillis) {
    return streams
        .append(key, stream(key), List.of(Map.of("f", "v")), maxLen, 0, unixMillis, 0)
        .get(0);
  }

  private void appendMany(String key, int count, long maxLen, long unixMillis) {
    List<Map<String, String>> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(Map.of("f", Integer.toString(i)));
    }
    streams.append(key, stream(key), entries, maxLen, 0, unixMillis, 0);
  }

  private StreamEntry stream(String key) {
    return keyspace.find(key, StreamEntry.class);
  }

  private ConsumerGroup group(String key, String name) {
    return stream(key).group(name);
  }

  private Reader wait(String group, int count) {
    Reader reader = new Reader(count);
    group("s", group).await(reader);
    return reader;
  }

  private static void exhausted(Throwable failure) {
    assertThat(((RuntimeStateException) failure).code()).isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
  }

  private static final class Reader extends GroupWaiter {
    private List<QueueEntry> got;
    private FailureCode failure;

    Reader(int count) {
      super("c", count);
    }

    @Override
    protected void served(List<QueueEntry> entries) {
      got = entries;
    }

    @Override
    protected void failed(FailureCode code) {
      failure = code;
    }
  }
}
