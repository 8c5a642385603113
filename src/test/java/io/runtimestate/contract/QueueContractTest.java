package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.TestQueue.entries;
import static io.runtimestate.contract.TestQueue.fields;
import static io.runtimestate.contract.TestQueue.ids;
import static io.runtimestate.contract.TestQueue.values;
import static io.runtimestate.contract.Ttls.assertExpires;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.data.AckDelete;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.StreamStats;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

/** Appending, groups, reading and acknowledging. */
class QueueContractTest {

  @EachBackend
  @DisplayName("C273 C274 C275 an entry is appended, read, claimed, acknowledged and deleted")
  void entry_fromAppendToDelete(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> appended = List.of(queue.append("a"), queue.append("b"));
    List<QueueEntry> read = queue.read("c1", 10);
    assertThat(ids(read)).isEqualTo(appended);
    assertThat(read).allMatch(entry -> entry.deliveryCount() == 1);
    assertStats(queue, 2, 2, 0);
    assertThat(queue.read("c1", 10)).isEmpty();

    f.pass(ms(20));
    ClaimPage claimed = queue.claim("c2", 1, "0-0", 10);
    assertThat(ids(claimed.entries())).isEqualTo(appended);
    assertThat(claimed.entries()).allMatch(entry -> entry.deliveryCount() == 2);
    assertThat(claimed.isLast()).isTrue();
    assertThat(queue.stats().pending()).isEqualTo(2);
    assertThat(queue.stats().oldestPendingIdle().orElseThrow()).isLessThan(seconds(5));

    assertThat(queue.ack(appended)).isEqualTo(2);
    assertThat(get(queue.queues().delete(queue.stream(), appended))).isEqualTo(2);
    assertStats(queue, 0, 0, 0);
    assertThat(queue.read("c1", 10)).isEmpty();
  }

  private static void assertStats(TestQueue queue, long length, long pending, long lag) {
    StreamStats stats = queue.stats();
    assertThat(stats.length()).isEqualTo(length);
    assertThat(stats.pending()).isEqualTo(pending);
    assertThat(stats.lag()).contains(lag);
    assertThat(stats.oldestPendingIdle().isPresent()).isEqualTo(pending > 0);
  }

  @EachBackend
  @DisplayName("C276 a read takes up to its count; the next read goes on")
  void read_upToCount(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append(3);
    assertThat(values(queue.read("c", 2))).containsExactly("0", "1");
    assertStats(queue, 3, 2, 1);
    assertThat(values(queue.read("c", 2))).containsExactly("2");
  }

  @EachBackend
  @DisplayName("C277 C278 groups are independent; a later one sees everything")
  void groups_independent(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    TestQueue other = queue.withGroup("other");
    List<String> appended = queue.append(3);
    assertThat(ids(queue.read("c", 10))).isEqualTo(appended);
    assertThat(ids(other.read("c", 10))).isEqualTo(appended);
    assertThat(queue.ack(appended)).isEqualTo(3);
    assertThat(other.stats().pending()).isEqualTo(3);
    assertThat(ids(queue.withGroup("later").read("c", 10))).isEqualTo(appended);
  }

  @EachBackend
  @DisplayName("C279 C283 a group starts after the given id, or its first half")
  void group_startsAfterId(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> appended = queue.append(3);
    Queues queues = queue.queues();
    assertThat(get(queues.ensureGroup(queue.stream(), "g", appended.get(1)))).isTrue();
    assertThat(ids(get(queues.read(queue.stream(), "g", "c", 10))))
        .containsExactly(appended.get(2));
    assertThat(get(queues.ensureGroup(queue.stream(), "zero", "0"))).isTrue();
    assertThat(get(queues.ensureGroup(queue.stream(), "five", "5"))).isTrue();
    assertThat(get(queues.groups(queue.stream())))
        .filteredOn(group -> List.of("zero", "five").contains(group.name()))
        .extracting(group -> group.lastDeliveredId())
        .containsExactly("5-0", "0-0");
  }

  @EachBackend
  @DisplayName("9.2 $ starts after the last id ever generated, 0-0 in a new stream")
  void group_startsAtTheEnd(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> appended = queue.append(2);
    Queues queues = queue.queues();
    get(queues.delete(queue.stream(), appended.subList(1, 2)));
    get(queues.ensureGroup(queue.stream(), "tail", "$"));
    assertThat(get(queues.stats(queue.stream(), "tail")).lag()).contains(0L);
    assertThat(get(queues.groups(queue.stream())).get(0).lastDeliveredId())
        .isEqualTo(appended.get(1));
    String next = queue.append();
    assertThat(ids(get(queues.read(queue.stream(), "tail", "c", 10)))).containsExactly(next);
    get(queues.ensureGroup(f.key("new"), "tail", "$"));
    assertThat(get(queues.groups(f.key("new"))).get(0).lastDeliveredId()).isEqualTo("0-0");
  }

  @EachBackend
  @DisplayName("C280 C282 an existing group keeps its position; a bad start fails all the same")
  void ensureGroup_again(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> appended = queue.append(2);
    assertThat(get(queue.queues().ensureGroup(queue.stream(), queue.group(), "$"))).isFalse();
    assertInvalid(queue.queues().ensureGroup(queue.stream(), queue.group(), "abc"));
    assertThat(ids(queue.read("c", 10))).isEqualTo(appended);
    assertInvalid(queue.queues().ensureGroup(f.key("none"), "g", "abc"));
    assertThat(get(f.state().keys().exists(f.key("none")))).isFalse();
  }

  @EachBackend
  @DisplayName("C284 an append without fields, with a blank stream or a negative limit is invalid")
  void append_invalid(Fixture f) {
    Queues queues = f.state().queues();
    assertInvalid(queues.append(f.key("s"), Map.of()));
    assertInvalid(queues.append(f.key("s"), null));
    assertInvalid(queues.append(" \u2003", fields("v")));
    assertInvalid(queues.append(f.key("s"), fields("v"), -1));
    assertThat(get(f.state().keys().exists(f.key("s")))).isFalse();
  }

  @EachBackend
  @DisplayName("C285 ids are canonical, strictly increasing and near backend time")
  void ids_increase(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    EntryId last = EntryId.ZERO;
    for (int i = 0; i < 1_000; i++) {
      EntryId id = EntryId.parse(queue.append());
      assertThat(id).isNotNull().isGreaterThan(last);
      last = id;
    }
    assertThat(Math.abs(get(f.state().time()) - last.millis())).isLessThan(1_000);
  }

  @EachBackend
  @DisplayName("C286 entries of concurrent appenders are delivered in id order, once each")
  void append_concurrently(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<Future<String>> appends = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Queues handle = i % 2 == 0 ? f.state().queues() : f.second().queues();
      appends.add(handle.append(queue.stream(), fields("v" + i)));
    }
    List<String> delivered = new ArrayList<>();
    while (delivered.size() < 500) {
      delivered.addAll(ids(queue.read("c" + delivered.size() % 3, 7)));
    }
    assertThat(delivered).doesNotHaveDuplicates();
    assertThat(delivered.stream().map(EntryId::parse)).isSorted();
    assertThat(appends.stream().map(append -> get(append))).hasSameElementsAs(delivered);
  }

  @EachBackend
  @DisplayName("C287 C288 a limit keeps the newest entries; 0 and absent keep all")
  void append_trims(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> last = new ArrayList<>();
    for (int i = 0; i < 350; i++) {
      last.add(get(queue.queues().append(queue.stream(), fields("v" + i), 2)));
    }
    assertThat(queue.stats().length()).isEqualTo(2);
    assertThat(ids(queue.read("c", 10))).isEqualTo(last.subList(348, 350));
    get(queue.queues().append(queue.stream(), fields("v"), 0));
    queue.append();
    assertThat(queue.stats().length()).isEqualTo(4);
  }

  @EachBackend
  @DisplayName(
      "C289 a trimmed entry is not pending any more; copies returned earlier are unchanged")
  void append_trimsPending(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append("a");
    queue.append("b");
    List<QueueEntry> read = queue.read("c1", 2);
    get(queue.queues().append(queue.stream(), fields("c"), 2));
    assertThat(queue.stats().pending()).isEqualTo(1);
    f.pass(ms(5));
    assertThat(values(queue.claim("c2", 1).entries())).containsExactly("b");
    assertThat(values(queue.read("c1", 10))).containsExactly("c");
    assertThat(values(read)).containsExactly("a", "b");
    assertThat(read).allMatch(entry -> entry.deliveryCount() == 1);
  }

  @EachBackend
  @DisplayName("C290 trimming ends pending entries in all groups")
  void append_trimsPendingOfAllGroups(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    TestQueue other = queue.withGroup("other");
    queue.append(5);
    queue.read("c", 5);
    other.read("c", 3);
    get(queue.queues().append(queue.stream(), fields("v"), 1));
    assertStats(queue, 1, 0, 1);
    assertStats(other, 1, 0, 1);
  }

  @EachBackend
  @DisplayName("C291 duplicates count once, texts that are no ids are skipped")
  void ids_inLists(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> appended = queue.append(2);
    queue.read("c", 2);
    assertThat(queue.ack(List.of(appended.get(0), "garbage", "", appended.get(0)))).isEqualTo(1);
    String second = appended.get(1);
    List<String> ids = List.of(second, "missing-0", "0" + second, second);
    assertThat(get(queue.queues().delete(queue.stream(), ids))).isEqualTo(1);
    assertStats(queue, 1, 0, 0);
  }

  @EachBackend
  @DisplayName("C292 delete on a missing stream answers 0; empty lists look at nothing")
  void lists_empty(Fixture f) {
    Queues queues = f.state().queues();
    String missing = f.key("missing");
    assertThat(get(queues.delete(missing, List.of("1-0")))).isZero();
    assertThat(get(queues.delete(missing, List.of()))).isZero();
    assertThat(get(queues.ack(missing, "g", List.of()))).isZero();
    assertThat(get(queues.ackAndDelete(missing, "g", List.of()))).isEqualTo(new AckDelete(0, 0));
    assertThat(get(queues.nack(missing, "g", "c", List.of()))).isZero();
    assertThat(get(queues.extend(missing, "g", "c", List.of()))).isZero();
    assertThat(get(queues.appendAll(missing, List.of()))).isEmpty();
    assertThat(get(f.state().keys().exists(missing))).isFalse();
  }

  @EachBackend
  @DisplayName("C294 blank names, a zero block or idle time and counts out of range are invalid")
  void arguments_invalid(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Queues queues = queue.queues();
    String s = queue.stream();
    assertInvalid(queues.read(" ", "g", "c"));
    assertInvalid(queues.read(s, "\t", "c"));
    assertInvalid(queues.read(s, "g", ""));
    assertInvalid(queues.read(s, "g", "c", 1, ms(0)));
    assertInvalid(queues.read(s, "g", "c", 1, ms(-1)));
    assertInvalid(queues.read(s, "g", "c", -1));
    assertInvalid(queues.read(s, "g", "c", 10_001));
    assertInvalid(queues.claim(s, "g", "c", ms(0)));
    assertInvalid(queues.claim(s, "g", "c", null));
    assertInvalid(queues.claim(s, "g", "c", ms(1), "0-0", 0));
    assertInvalid(queues.claim(s, "g", "c", ms(1), "-", 1));
    assertInvalid(queues.pending(s, "g", "0-0", 0, null));
    assertInvalid(queues.trim(s, -1));
    assertInvalid(queues.stats(s, " "));
  }

  @EachBackend
  @DisplayName("C295 C296 a count of 0 reads one; nothing new without block is empty at once")
  void read_zeroAndNothing(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append(2);
    assertThat(queue.read("c", 0)).hasSize(1);
    assertThat(queue.read("c", 0)).hasSize(1);
    assertThat(queue.read("c", 0)).isEmpty();
  }

  @EachBackend
  @DisplayName("C326 appendAll appends in order, in one step")
  void appendAll_inOrder(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Future<List<QueueEntry>> blocked = queue.block("c", 10, 2_000);
    f.pass(ms(50));
    List<String> appended = queue.append(3);
    assertThat(appended.stream().map(EntryId::parse)).isSorted().doesNotHaveDuplicates();
    List<String> delivered = new ArrayList<>(ids(get(blocked)));
    assertThat(delivered).isNotEmpty();
    while (delivered.size() < 3) {
      delivered.addAll(ids(queue.read("c", 10)));
    }
    assertThat(delivered).isEqualTo(appended);
  }

  @EachBackend
  @DisplayName("C327 appendAll answers the ids of entries it trims; a bad entry appends none")
  void appendAll_limits(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> appended = get(queue.queues().appendAll(queue.stream(), entries(5), 2));
    assertThat(appended).hasSize(5).doesNotHaveDuplicates();
    assertThat(queue.stats().length()).isEqualTo(2);
    assertThat(ids(queue.read("c", 10))).isEqualTo(appended.subList(3, 5));
    assertInvalid(queue.queues().appendAll(queue.stream(), entries(1_001)));
    List<Map<String, String>> oneEmpty = new ArrayList<>(entries(4));
    oneEmpty.add(2, Map.of());
    assertInvalid(queue.queues().appendAll(queue.stream(), oneEmpty)).contains("entries[2]");
    assertThat(queue.stats().length()).isEqualTo(2);
  }

  @EachBackend
  @DisplayName("C328 ackAndDelete ends what is pending and leaves the rest alone")
  void ackAndDelete_pendingOnly(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> appended = queue.append(4);
    queue.read("c", 3);
    List<String> ids = List.of(appended.get(0), appended.get(2), appended.get(3));
    assertThat(get(queue.queues().ackAndDelete(queue.stream(), queue.group(), ids)))
        .isEqualTo(new AckDelete(2, 2));
    assertStats(queue, 2, 1, 1);
    assertThat(ids(queue.read("c", 10))).containsExactly(appended.get(3));
  }

  @EachBackend
  @DisplayName("C323 an emptied stream exists; ids go on and groups keep their position")
  void stream_emptied(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> appended = queue.append(2);
    queue.read("c", 1);
    get(queue.queues().delete(queue.stream(), appended));
    assertStats(queue, 0, 0, 0);
    assertThat(get(f.state().keys().exists(queue.stream()))).isTrue();
    String next = queue.append();
    assertThat(EntryId.parse(next)).isGreaterThan(EntryId.parse(appended.get(1)));
    assertThat(ids(queue.read("c", 10))).containsExactly(next);
  }

  @EachBackend
  @DisplayName("9.1.7 streams obey key operations; appends keep the expiry")
  void stream_isAKey(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append();
    get(f.state().keys().expire(queue.stream(), seconds(60)));
    queue.append();
    assertExpires(f.state(), queue.stream(), seconds(30), seconds(60));
    get(f.state().keys().expire(queue.stream(), ms(20)));
    f.pass(ms(60));
    assertThat(get(queue.queues().stats(queue.stream(), queue.group())))
        .isEqualTo(new StreamStats(0, 0, Optional.empty(), Optional.empty()));
    assertThat(get(queue.queues().ensureGroup(queue.stream(), queue.group()))).isTrue();
  }

  @EachBackend
  @DisplayName("9.1.2 L23 fields are kept in byte order, empty names and values too")
  void fields_roundTrip(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Map<String, String> fields =
        Map.of("", "x", "a", "", "\uFB01", "\r\n\0", "\uD83D\uDE00", "\uD83D\uDE00", "id", "1-0");
    get(queue.queues().append(queue.stream(), fields));
    Map<String, String> read = queue.read("c", 1).get(0).fields();
    assertThat(read).isEqualTo(fields);
    assertThat(read.keySet()).containsExactly("", "a", "id", "\uFB01", "\uD83D\uDE00");
    assertInvalid(queue.queues().append(queue.stream(), Map.of("a", "\uD800")));
  }
}
