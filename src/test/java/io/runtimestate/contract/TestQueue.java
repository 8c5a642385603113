package io.runtimestate.contract;

import static io.runtimestate.support.Await.get;

import io.runtimestate.Queues;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.PendingEntry;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.StreamStats;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A stream and a group of it, with the steps that most queue cases are made of. */
record TestQueue(Queues queues, String stream, String group) {
  static final String BEGINNING = "0-0";

  /** A new stream with a group that receives everything; all of a case share a slot. */
  static TestQueue open(Fixture f) {
    return of(f, "stream");
  }

  static TestQueue of(Fixture f, String name) {
    TestQueue queue = new TestQueue(f.state().queues(), f.slotKey(name), "workers");
    get(queue.queues.ensureGroup(queue.stream, queue.group));
    return queue;
  }

  /** Another group of the same stream. */
  TestQueue withGroup(String other) {
    get(queues.ensureGroup(stream, other));
    return new TestQueue(queues, stream, other);
  }

  static Map<String, String> fields(String value) {
    return Map.of("f", value);
  }

  static List<Map<String, String>> entries(int count) {
    return IntStream.range(0, count).mapToObj(i -> fields(Integer.toString(i))).toList();
  }

  static List<String> ids(List<QueueEntry> entries) {
    return entries.stream().map(QueueEntry::id).toList();
  }

  static List<String> values(List<QueueEntry> entries) {
    return entries.stream().map(entry -> entry.fields().get("f")).toList();
  }

  String append() {
    return append("v");
  }

  String append(String value) {
    return get(queues.append(stream, fields(value)));
  }

  List<String> append(int count) {
    List<String> ids = new ArrayList<>();
    for (int done = 0; done < count; done += 1_000) {
      ids.addAll(get(queues.appendAll(stream, entries(Math.min(1_000, count - done)))));
    }
    return ids;
  }

  List<QueueEntry> read(String consumer, int count) {
    return get(queues.read(stream, group, consumer, count));
  }

  Future<List<QueueEntry>> block(String consumer, int count, long millis) {
    return queues.read(stream, group, consumer, count, Duration.ofMillis(millis));
  }

  ClaimPage claim(String consumer, long minIdleMillis) {
    return claim(consumer, minIdleMillis, BEGINNING, 100);
  }

  ClaimPage claim(String consumer, long minIdleMillis, String start, int count) {
    return get(
        queues.claim(stream, group, consumer, Duration.ofMillis(minIdleMillis), start, count));
  }

  List<PendingEntry> pending() {
    return get(queues.pending(stream, group, BEGINNING, 10_000, null)).entries();
  }

  long ack(List<String> ids) {
    return get(queues.ack(stream, group, ids));
  }

  StreamStats stats() {
    return get(queues.stats(stream, group));
  }

  long lag() {
    return stats().lag().orElseThrow();
  }
}
