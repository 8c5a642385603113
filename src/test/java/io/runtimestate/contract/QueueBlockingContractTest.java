package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.TestQueue.entries;
import static io.runtimestate.contract.TestQueue.fields;
import static io.runtimestate.contract.TestQueue.ids;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.OperationStatistics;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/** Reads that wait. */
class QueueBlockingContractTest {
  private static final long SETTLED_MILLIS = 50;

  @EachBackend
  @DisplayName("C297 a blocked read is woken by the append")
  void append_wakesReader(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Future<List<QueueEntry>> blocked = queue.block("c", 1, 2_000);
    f.pass(ms(SETTLED_MILLIS));
    assertThat(blocked.isComplete()).isFalse();
    long before = System.nanoTime();
    String id = queue.append();
    assertThat(ids(get(blocked))).containsExactly(id);
    assertThat(millisSince(before)).isLessThan(200);
  }

  @EachBackend
  @DisplayName("C298 the reader that came first is served first")
  void readers_inOrder(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Future<List<QueueEntry>> first = queue.block("c1", 1, 2_000);
    f.pass(ms(SETTLED_MILLIS));
    Future<List<QueueEntry>> second = queue.block("c2", 1, 2_000);
    f.pass(ms(SETTLED_MILLIS));
    String id = queue.append();
    assertThat(ids(get(first))).containsExactly(id);
    f.pass(ms(SETTLED_MILLIS));
    assertThat(second.isComplete()).isFalse();
    String next = queue.append();
    assertThat(ids(get(second))).containsExactly(next);
  }

  @EachBackend
  @DisplayName("C299 a blocked read delays nobody else")
  void reader_delaysNobody(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Future<List<QueueEntry>> blocked = queue.block("c", 1, 500);
    f.pass(ms(SETTLED_MILLIS));
    long before = System.nanoTime();
    get(f.state().kv().set(f.key("k"), "v"));
    assertThat(get(f.state().kv().get(f.key("k")))).contains("v");
    assertThat(millisSince(before)).isLessThan(200);
    assertThat(blocked.isComplete()).isFalse();
    assertThat(get(blocked)).isEmpty();
  }

  @EachBackend
  @DisplayName("C300 blocked reads that get nothing are empty, never timed out")
  void readers_empty(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    long before = System.nanoTime();
    List<Future<List<QueueEntry>>> blocked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      blocked.add(queue.block("c" + i, 1, 600));
    }
    blocked.forEach(read -> assertThat(get(read)).isEmpty());
    assertThat(millisSince(before)).isBetween(580L, 2_000L);
    assertThat(get(queue.queues().groups(queue.stream())).get(0).consumers()).isEmpty();
  }

  @EachBackend
  @DisplayName("C303 a blocked read fails when its stream or group goes")
  void reader_losesWhatItWaitsFor(Fixture f) {
    TestQueue deleted = TestQueue.of(f, "deleted");
    TestQueue replaced = TestQueue.of(f, "replaced");
    TestQueue expired = TestQueue.of(f, "expired");
    TestQueue removed = TestQueue.of(f, "removed");
    long block = noticesAtOnce(f) ? 10_000 : 800;
    Future<List<QueueEntry>> onDeleted = deleted.block("c", 1, block);
    Future<List<QueueEntry>> onReplaced = replaced.block("c", 1, block);
    Future<List<QueueEntry>> onExpired = expired.block("c", 1, block);
    Future<List<QueueEntry>> onRemoved = removed.block("c", 1, block);
    f.pass(ms(SETTLED_MILLIS));
    get(f.state().keys().delete(deleted.stream()));
    get(f.state().kv().set(replaced.stream(), "value"));
    get(f.state().keys().expire(expired.stream(), ms(100)));
    get(removed.queues().removeGroup(removed.stream(), removed.group()));
    long before = System.nanoTime();
    assertFails(onDeleted, FailureCode.NO_SUCH_STREAM);
    assertThat(Fails.failure(onReplaced).code())
        .isIn(FailureCode.NO_SUCH_STREAM, FailureCode.WRONG_TYPE);
    assertFails(onRemoved, FailureCode.NO_SUCH_GROUP);
    // A server full of other expiring keys may take its time to reclaim this one: looking does it.
    Await.until(() -> !get(f.state().keys().exists(expired.stream())), "the stream expires");
    assertFails(onExpired, FailureCode.NO_SUCH_STREAM);
    assertThat(millisSince(before)).isLessThan(1_100);
  }

  private static boolean noticesAtOnce(Fixture f) {
    return f.isMemory() || io.runtimestate.support.RedisServer.shared().atLeast(7, 0);
  }

  @EachBackend
  @DisplayName("9.15 removing the group of a blocked read leaves readers of other groups alone")
  void removeGroup_othersWait(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    TestQueue other = queue.withGroup("other");
    Future<List<QueueEntry>> waits = other.block("c", 1, 2_000);
    f.pass(ms(SETTLED_MILLIS));
    get(queue.queues().removeGroup(queue.stream(), queue.group()));
    String id = queue.append();
    assertThat(ids(get(waits))).containsExactly(id);
  }

  @EachBackend
  @DisplayName("C346 beyond maxBlockedReads a read fails OVERLOADED; others still work")
  void blockedReads_bounded(Fixture f) {
    RuntimeState state = f.open(f.options().setMaxBlockedReads(2));
    TestQueue queue = new TestQueue(state.queues(), f.key("s"), "g");
    get(state.queues().ensureGroup(queue.stream(), queue.group()));
    Future<List<QueueEntry>> first = queue.block("c", 1, 600);
    Future<List<QueueEntry>> second = queue.block("c", 1, 600);
    f.pass(ms(SETTLED_MILLIS));
    assertFails(queue.block("c", 1, 600), FailureCode.OVERLOADED).contains("maxBlockedReads");
    assertThat(queue.read("c", 1)).isEmpty();
    assertThat(get(state.statistics()).blockedReads()).isEqualTo(2);
    assertThat(get(first)).isEmpty();
    assertThat(get(second)).isEmpty();
    String id = queue.append();
    assertThat(ids(get(queue.block("c", 1, 600)))).containsExactly(id);
    assertThat(get(queue.block("c", 1, 50))).isEmpty();
    assertThat(get(state.statistics()).blockedReads()).isZero();
  }

  @EachBackend
  @DisplayName("C483 one append serves three readers in order, and each group for itself")
  void appendAll_servesMany(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    TestQueue other = queue.withGroup("other");
    List<Future<List<QueueEntry>>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(queue.block("c" + i, 2, 5_000));
      f.pass(ms(SETTLED_MILLIS));
    }
    Future<List<QueueEntry>> all = other.block("c", 10, 5_000);
    f.pass(ms(SETTLED_MILLIS));
    List<String> ids = get(queue.queues().appendAll(queue.stream(), entries(5)));
    assertThat(ids(get(readers.get(0)))).isEqualTo(ids.subList(0, 2));
    assertThat(ids(get(readers.get(1)))).isEqualTo(ids.subList(2, 4));
    assertThat(ids(get(readers.get(2)))).isEqualTo(ids.subList(4, 5));
    assertThat(ids(get(all))).isEqualTo(ids);
  }

  @EachBackend
  @DisplayName("C484 two readers answer each other 10 000 times without overflow")
  void readers_pingPong(Fixture f) {
    int rounds = f.kind() == DoorKind.MEMORY ? 100_000 : 10_000;
    TestQueue there = TestQueue.of(f, "there");
    TestQueue back = TestQueue.of(f, "back");
    Promise<Void> done = Promise.promise();
    f.vertx()
        .runOnContext(
            start -> {
              answer(there, back, rounds, done);
              answer(back, there, rounds, done);
              there.queues().append(there.stream(), fields("0"));
            });
    Await.within(Duration.ofSeconds(60), done.future());
    get(f.state().keys().deleteMany(List.of(there.stream(), back.stream())));
  }

  private static void answer(TestQueue from, TestQueue to, int rounds, Promise<Void> done) {
    if (done.future().isComplete()) {
      return;
    }
    from.block("c", 1, 5_000)
        .onFailure(done::tryFail)
        .onSuccess(
            entries -> {
              int round = entries.isEmpty() ? rounds : Integer.parseInt(value(entries));
              if (round >= rounds) {
                done.tryComplete();
                to.queues().append(to.stream(), fields(Integer.toString(rounds)), 10);
                return;
              }
              answer(from, to, rounds, done);
              to.queues().append(to.stream(), fields(Integer.toString(round + 1)), 10);
            });
  }

  private static String value(List<QueueEntry> entries) {
    return entries.get(0).fields().get("f");
  }

  @EachBackend
  @DisplayName("C490 a read that waited counts once, and its waiting is no latency")
  void statistics_ofABlockedRead(Fixture f) {
    RuntimeState state = f.open(f.options());
    TestQueue queue = new TestQueue(state.queues(), f.key("s"), "g");
    get(state.queues().ensureGroup(queue.stream(), queue.group()));
    Future<List<QueueEntry>> blocked = queue.block("c", 1, 1_000);
    f.pass(ms(200));
    queue.append();
    assertThat(get(blocked)).hasSize(1);
    OperationStatistics reads = get(state.statistics()).operations().get("queue.read");
    assertThat(reads.count()).isEqualTo(1);
    assertThat(reads.latency().totalMs()).isZero();
    assertThat(reads.latency().buckets().get("+Inf")).isEqualTo(1);
  }

  @EachBackend
  @DisplayName("C450 close fails a blocked read")
  void close_failsReaders(Fixture f) {
    RuntimeState state = f.open(f.options());
    TestQueue queue = new TestQueue(state.queues(), f.key("s"), "g");
    get(state.queues().ensureGroup(queue.stream(), queue.group()));
    Future<List<QueueEntry>> blocked = queue.block("c", 1, 30_000);
    f.pass(ms(SETTLED_MILLIS));
    long before = System.nanoTime();
    get(state.close());
    assertThat(Fails.failure(blocked).code()).isEqualTo(FailureCode.CLOSED);
    assertThat(millisSince(before)).isLessThan(1_000);
    assertThat(Fails.failure(queue.block("c", 1, 30_000)).code()).isEqualTo(FailureCode.CLOSED);
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.BUS})
  @DisplayName("9.5 thousands of idle readers are served one by one")
  void readers_many(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<Future<List<QueueEntry>>> readers = new ArrayList<>();
    for (int i = 0; i < 9_000; i++) {
      readers.add(queue.block("c", 1, 60_000));
    }
    Await.until(
        () -> get(f.state().queues().read(queue.stream(), queue.group(), "x")).isEmpty(), "");
    List<String> ids = queue.append(1_000);
    for (int i = 0; i < ids.size(); i++) {
      assertThat(ids(get(readers.get(i)))).containsExactly(ids.get(i));
    }
    assertThat(readers.get(1_000).isComplete()).isFalse();
    get(f.state().keys().delete(queue.stream()));
    assertFails(readers.get(8_999), FailureCode.NO_SUCH_STREAM);
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
