package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.TestQueue.fields;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.data.AckDelete;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.StreamStats;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;

/** Figures, trimming, large amounts, and failures that every operation shares. */
class QueueStatsContractTest {

  @EachBackend
  @DisplayName("C319 stats of what is missing are zero or absent")
  void stats_missing(Fixture f) {
    StreamStats nothing = new StreamStats(0, 0, Optional.empty(), Optional.empty());
    assertThat(get(f.state().queues().stats(f.slotKey("missing")))).isEqualTo(nothing);
    assertThat(get(f.state().queues().stats(f.slotKey("missing"), "g"))).isEqualTo(nothing);
    TestQueue queue = TestQueue.open(f);
    queue.append(2);
    StreamStats length = new StreamStats(2, 0, Optional.empty(), Optional.empty());
    assertThat(get(queue.queues().stats(queue.stream()))).isEqualTo(length);
    assertThat(get(queue.queues().stats(queue.stream(), "missing"))).isEqualTo(length);
  }

  @EachBackend
  @DisplayName("C320 lag counts what a trim left")
  void lag_afterTrim(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append(10);
    queue.read("c", 2);
    get(queue.queues().append(queue.stream(), fields("v"), 3));
    assertThat(queue.stats().length()).isEqualTo(3);
    assertThat(queue.lag()).isEqualTo(3);
    queue.read("c", 1);
    assertThat(queue.lag()).isEqualTo(2);
  }

  @EachBackend
  @DisplayName("C321 a deleted entry that was not delivered does not count")
  void lag_afterDelete(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(5);
    queue.read("c", 2);
    List<String> two = List.of(all.get(1), all.get(3));
    assertThat(get(queue.queues().delete(queue.stream(), two))).isEqualTo(2);
    assertThat(queue.lag()).isEqualTo(2);
    assertThat(get(queue.queues().groups(queue.stream())).get(0).lag()).isEqualTo(2);
  }

  @EachBackend
  @DisplayName("C322 the oldest idle time is the largest; absent when nothing is pending")
  void oldestIdle(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(2);
    queue.read("c", 1);
    f.pass(ms(100));
    queue.read("c", 1);
    assertThat(queue.stats().oldestPendingIdle().orElseThrow()).isBetween(ms(90), ms(1_000));
    queue.ack(all);
    assertThat(queue.stats().oldestPendingIdle()).isEmpty();
  }

  @EachBackend
  @DisplayName("C343 trim removes the oldest in steps, pending ones too")
  void trim_steps(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    TestQueue other = queue.withGroup("other");
    queue.append(2_500);
    queue.read("c", 2_500);
    other.read("c", 2_500);
    Queues queues = queue.queues();
    assertThat(get(queues.trim(queue.stream(), 100))).isEqualTo(2_400);
    assertThat(queue.stats().pending()).isEqualTo(100);
    assertThat(other.stats().pending()).isEqualTo(100);
    assertThat(get(queues.trim(queue.stream(), 100))).isZero();
    assertThat(get(queues.trim(queue.stream(), 0))).isEqualTo(100);
    assertThat(get(f.state().keys().exists(queue.stream()))).isTrue();
    assertThat(other.stats().length()).isZero();
    assertThat(get(queues.trim(f.slotKey("missing"), 0))).isZero();
  }

  @EachBackend
  @DisplayName("C345 a large lag is a number between its bounds, exact near either end")
  void lag_large(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append(14_000);
    queue.read("c", 2_000);
    assertThat(queue.lag()).isBetween(1_001L, 14_000L);
    if (f.isMemory()) {
      assertThat(queue.lag()).isEqualTo(12_000);
    }
    queue.read("c", 10_000);
    queue.read("c", 1_001);
    assertThat(queue.lag()).isEqualTo(999);
    TestQueue near = TestQueue.of(f, "near");
    near.append(12_010);
    near.read("c", 10);
    assertThat(near.lag()).isEqualTo(12_000);
    get(f.state().keys().deleteMany(List.of(queue.stream(), near.stream())));
  }

  @EachBackend
  @DisplayName("C349 on a key of another type every queue operation fails WRONG_TYPE")
  void everything_wrongType(Fixture f) {
    String key = f.slotKey("value");
    get(f.state().kv().set(key, "v"));
    everywhere(f, key, "g").forEach(call -> assertFails(call, FailureCode.WRONG_TYPE));
    List<Function<Queues, Future<?>>> lenient =
        List.of(
            q -> q.ensureGroup(key, "g"),
            q -> q.append(key, fields("v")),
            q -> q.append(key, fields("v"), 5),
            q -> q.appendAll(key, TestQueue.entries(2)),
            q -> q.delete(key, List.of("1-0")),
            q -> q.removeGroup(key, "g"),
            q -> q.groups(key),
            q -> q.trim(key, 0),
            q -> q.stats(key),
            q -> q.stats(key, "g"));
    lenient.forEach(call -> assertFails(call.apply(f.state().queues()), FailureCode.WRONG_TYPE));
    assertThat(get(f.state().kv().get(key))).contains("v");
  }

  @EachBackend
  @DisplayName("9.1.6 a missing stream or group fails where one is needed")
  void everything_missing(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    everywhere(f, f.slotKey("missing"), "g")
        .forEach(call -> assertFails(call, FailureCode.NO_SUCH_STREAM));
    everywhere(f, queue.stream(), "missing")
        .forEach(call -> assertFails(call, FailureCode.NO_SUCH_GROUP));
    assertThat(get(f.state().keys().exists(f.slotKey("missing")))).isFalse();
  }

  private static List<Future<?>> everywhere(Fixture f, String stream, String group) {
    Queues q = f.state().queues();
    List<String> ids = List.of("1-0");
    Duration idle = ms(1);
    return List.of(
        q.read(stream, group, "c"),
        q.read(stream, group, "c", 1, ms(50)),
        q.claim(stream, group, "c", idle),
        q.ack(stream, group, ids),
        q.ack(stream, group, List.of("no id"), "c"),
        q.ackAndDelete(stream, group, ids),
        q.nack(stream, group, "c", ids),
        q.nack(stream, group, "c", List.of("no id")),
        q.extend(stream, group, "c", ids),
        q.transfer(stream, group, "1-0", f.slotKey("other"), fields("v")),
        q.pending(stream, group),
        q.pending(stream, group, "0-0", 5, "c"),
        q.removeConsumer(stream, group, "c"));
  }

  @EachBackend
  @DisplayName("C350 20 000 entries are acknowledged, deleted and trimmed in one call each")
  void many_atOnce(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(20_000);
    queue.read("c", 10_000);
    queue.read("c", 10_000);
    Queues queues = queue.queues();
    String s = queue.stream();
    String g = queue.group();
    assertThat(get(queues.extend(s, g, "c", all))).isEqualTo(20_000);
    assertThat(get(queues.nack(s, g, "c", all))).isEqualTo(20_000);
    assertThat(get(queues.ack(s, g, all.subList(0, 10_000), "c"))).isEqualTo(10_000);
    assertThat(get(queues.ackAndDelete(s, g, all.subList(5_000, 15_000))))
        .isEqualTo(new AckDelete(5_000, 5_000));
    assertThat(get(queues.delete(s, all.subList(0, 12_000)))).isEqualTo(10_000);
    assertThat(get(queues.trim(s, 10))).isEqualTo(4_990);
    assertThat(queue.stats().pending()).isEqualTo(10);
    assertThat(queue.stats().length()).isEqualTo(10);
  }

  @EachBackend
  @DisplayName("L03 deleting without acknowledging leaves nothing pending")
  void delete_endsPending(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    for (int i = 0; i < 100; i++) {
      queue.append(100);
      List<String> read = TestQueue.ids(queue.read("c", 100));
      assertThat(get(queue.queues().delete(queue.stream(), read))).isEqualTo(100);
      assertThat(queue.ack(read)).isZero();
    }
    assertThat(queue.stats().pending()).isZero();
    assertThat(queue.stats().length()).isZero();
  }
}
