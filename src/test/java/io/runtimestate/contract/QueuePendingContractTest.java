package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.TestQueue.ids;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.data.AckDelete;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.PendingEntry;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RemoveConsumer;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

/** What becomes of entries that were delivered: claims, nacks, extensions, consumers. */
class QueuePendingContractTest {
  private static final Duration LONGEST = Duration.ofDays(3_650);
  private static final long HOUR = Duration.ofHours(1).toMillis();

  @EachBackend
  @DisplayName("C304 stale entries are found behind fresh ones, page by page, once each")
  void claim_pages(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(28);
    queue.read("c1", 28);
    f.pass(ms(60));
    get(queue.queues().extend(queue.stream(), queue.group(), "c1", all.subList(0, 25)));
    List<String> claimed = new ArrayList<>();
    boolean emptyWithNext = false;
    String next = TestQueue.BEGINNING;
    do {
      ClaimPage page = queue.claim("c2", 50, next, 2);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(2);
      emptyWithNext |= page.entries().isEmpty() && !page.isLast();
      claimed.addAll(ids(page.entries()));
      next = page.next();
    } while (!next.equals(TestQueue.BEGINNING));
    assertThat(claimed).isEqualTo(all.subList(25, 28));
    assertThat(emptyWithNext).isTrue();
  }

  @EachBackend
  @DisplayName("C306 C307 a claim restarts the idle time and begins at its start")
  void claim_onceAndFromStart(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(4);
    queue.read("c1", 4);
    f.pass(ms(300));
    assertThat(ids(queue.claim("c2", 200, all.get(2), 10).entries())).isEqualTo(all.subList(2, 4));
    assertThat(queue.claim("c3", 200, all.get(2), 10).entries()).isEmpty();
    assertThat(ids(queue.claim("c2", 200).entries())).isEqualTo(all.subList(0, 2));
  }

  @EachBackend
  @DisplayName("C308 a claim of nothing is an empty last page")
  void claim_nothing(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append();
    ClaimPage page = queue.claim("c", 1);
    assertThat(page).isEqualTo(new ClaimPage("0-0", List.of(), List.of()));
  }

  @EachBackend
  @DisplayName("L05 25 stale entries come in pages of 10, 10 and 5, none missing")
  void claim_startIsInclusive(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(25);
    queue.read("c1", 25);
    f.pass(ms(10));
    ClaimPage first = queue.claim("c2", 5, "0", 10);
    ClaimPage second = queue.claim("c2", 5, first.next(), 10);
    ClaimPage third = queue.claim("c2", 5, second.next(), 10);
    assertThat(ids(first.entries())).isEqualTo(all.subList(0, 10));
    assertThat(first.next()).isEqualTo(all.get(10));
    assertThat(ids(second.entries())).isEqualTo(all.subList(10, 20));
    assertThat(ids(third.entries())).isEqualTo(all.subList(20, 25));
    assertThat(third.isLast()).isTrue();
  }

  @EachBackend
  @DisplayName("C324 large entries are delivered once and claimed once")
  void claim_largeEntries(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = new ArrayList<>();
    String large = "x".repeat(512 * 1024);
    for (int i = 0; i < 24; i++) {
      all.add(get(queue.queues().append(queue.stream(), Map.of("f", i + large))));
    }
    List<String> delivered = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      delivered.addAll(ids(queue.read("c" + i, 8)));
    }
    assertThat(delivered).isEqualTo(all);
    f.pass(ms(20));
    List<String> claimed = new ArrayList<>();
    String next = TestQueue.BEGINNING;
    do {
      ClaimPage page = queue.claim("c9", 1, next, 5);
      List<String> ids = ids(page.entries());
      claimed.addAll(ids);
      assertThat(get(queue.queues().ackAndDelete(queue.stream(), queue.group(), ids)))
          .isEqualTo(new AckDelete(ids.size(), ids.size()));
      next = page.next();
    } while (!next.equals(TestQueue.BEGINNING));
    assertThat(claimed).isEqualTo(all);
    assertThat(queue.stats().length() + queue.stats().pending() + queue.lag()).isZero();
  }

  @EachBackend
  @DisplayName("C325 what a vanished reader left is taken over after its idle time")
  void claim_fromVanishedReader(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(3);
    get(f.second().queues().read(queue.stream(), queue.group(), "gone", 3));
    assertThat(queue.claim("c", 100).entries()).isEmpty();
    f.pass(ms(130));
    assertThat(ids(queue.claim("c", 100).entries())).isEqualTo(all);
  }

  @EachBackend
  @DisplayName("C330 with a consumer, only what is pending for it is ended")
  void ack_byConsumer(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> one = List.of(queue.append());
    queue.read("c1", 1);
    f.pass(ms(10));
    queue.claim("c2", 1);
    Queues queues = queue.queues();
    String s = queue.stream();
    String g = queue.group();
    assertThat(get(queues.ack(s, g, one, "c1"))).isZero();
    assertThat(get(queues.ackAndDelete(s, g, one, "c1"))).isEqualTo(new AckDelete(0, 0));
    Map<String, String> fields = TestQueue.fields("x");
    assertThat(
            get(queues.transfer(s, g, one.get(0), f.slotKey("d"), fields, 0, "c1")).isTransferred())
        .isFalse();
    assertThat(queue.pending()).extracting(PendingEntry::consumer).containsExactly("c2");
    assertThat(get(queues.ack(s, g, one))).isEqualTo(1);
    assertThat(queue.pending()).isEmpty();
  }

  @EachBackend
  @DisplayName("C331 pending entries are paged in id order, also of one consumer")
  void pending_pages(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(5);
    queue.read("c1", 2);
    queue.read("c2", 2);
    queue.read("c1", 1);
    Queues queues = queue.queues();
    PendingPage first = get(queues.pending(queue.stream(), queue.group(), "0-0", 2, null));
    assertThat(first.entries()).extracting(PendingEntry::id).isEqualTo(all.subList(0, 2));
    assertThat(first.entries()).extracting(PendingEntry::consumer).containsOnly("c1");
    assertThat(first.entries())
        .allMatch(entry -> entry.deliveryCount() == 1 && !entry.nacked())
        .allMatch(entry -> entry.idle().compareTo(seconds(5)) < 0);
    assertThat(first.next()).isEqualTo(all.get(2));
    PendingPage second = get(queues.pending(queue.stream(), queue.group(), first.next(), 3, null));
    assertThat(second.entries()).extracting(PendingEntry::id).isEqualTo(all.subList(2, 5));
    assertThat(second.isLast()).isTrue();
    PendingPage own = get(queues.pending(queue.stream(), queue.group(), "0-0", 2, "c1"));
    assertThat(own.entries()).extracting(PendingEntry::id).isEqualTo(all.subList(0, 2));
    assertThat(own.next()).isEqualTo(all.get(4));
    own = get(queues.pending(queue.stream(), queue.group(), all.get(1), 2, "c1"));
    assertThat(own.entries()).extracting(PendingEntry::id).containsExactly(all.get(1), all.get(4));
    assertThat(own.isLast()).isTrue();
    assertThat(get(queues.pending(queue.stream(), queue.group(), "0", 5, "nobody")).entries())
        .isEmpty();
    assertThat(queue.pending()).hasSize(5).allMatch(entry -> entry.deliveryCount() == 1);
  }

  @EachBackend
  @DisplayName("C332 every claim counts a delivery")
  void claim_counts(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append();
    queue.read("c1", 1);
    f.pass(ms(10));
    assertThat(queue.claim("c2", 1).entries().get(0).deliveryCount()).isEqualTo(2);
    f.pass(ms(10));
    assertThat(queue.claim("c2", 1).entries().get(0).deliveryCount()).isEqualTo(3);
    assertThat(queue.pending().get(0).deliveryCount()).isEqualTo(3);
  }

  @EachBackend
  @DisplayName("C333 C336 a nacked entry is claimable at once; its idle time counts from the nack")
  void nack_claimableAtOnce(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> one = List.of(queue.append());
    queue.read("c1", 1);
    f.pass(ms(30));
    assertThat(get(queue.queues().nack(queue.stream(), queue.group(), "c1", one))).isEqualTo(1);
    PendingEntry pending = queue.pending().get(0);
    assertThat(pending.nacked()).isTrue();
    assertThat(pending.consumer()).isEqualTo("c1");
    assertThat(pending.idle()).isLessThan(seconds(1));
    assertThat(queue.stats().oldestPendingIdle().orElseThrow()).isLessThan(seconds(1));
    List<QueueEntry> claimed = queue.claim("c2", HOUR).entries();
    assertThat(claimed).extracting(QueueEntry::deliveryCount).containsExactly(2L);
    assertThat(queue.pending().get(0).nacked()).isFalse();
    assertThat(queue.claim("c3", HOUR).entries()).isEmpty();
  }

  @EachBackend
  @DisplayName("C334 C337 nack and extend touch only what is pending for the consumer")
  void nackAndExtend_ofOthers(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> one = List.of(queue.append());
    queue.read("c1", 1);
    Queues queues = queue.queues();
    String s = queue.stream();
    String g = queue.group();
    assertThat(get(queues.nack(s, g, "c2", one))).isZero();
    assertThat(queue.claim("c2", HOUR).entries()).isEmpty();
    f.pass(ms(300));
    assertThat(get(queues.extend(s, g, "c2", one))).isZero();
    assertThat(get(queues.extend(s, g, "c1", List.of(one.get(0), "no id", one.get(0)))))
        .isEqualTo(1);
    assertThat(queue.claim("c2", 200).entries()).isEmpty();
    assertThat(queue.pending().get(0).deliveryCount()).isEqualTo(1);
    get(queues.nack(s, g, "c1", one));
    assertThat(get(queues.extend(s, g, "c1", one))).isEqualTo(1);
    assertThat(queue.claim("c2", HOUR).entries()).isEmpty();
    assertThat(queue.pending().get(0).nacked()).isFalse();
  }

  @EachBackend
  @DisplayName("C335 a nack can take a delivery back, once")
  void nack_uncounted(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> one = List.of(queue.append());
    queue.read("c1", 1);
    Queues queues = queue.queues();
    List<String> twice = List.of(one.get(0), one.get(0));
    assertThat(get(queues.nack(queue.stream(), queue.group(), "c1", twice, false))).isEqualTo(1);
    assertThat(get(queues.nack(queue.stream(), queue.group(), "c1", one, false))).isEqualTo(1);
    assertThat(queue.pending().get(0).deliveryCount()).isZero();
    assertThat(queue.claim("c2", HOUR).entries().get(0).deliveryCount()).isEqualTo(1);
  }

  @EachBackend
  @DisplayName("9.10 a count that is 0 already does not fall below")
  void nack_neverBelowZero(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> one = List.of(queue.append());
    queue.read("c1", 1);
    Queues queues = queue.queues();
    for (int i = 0; i < 2; i++) {
      get(queues.nack(queue.stream(), queue.group(), "c1", one, false));
      get(queues.extend(queue.stream(), queue.group(), "c1", one));
    }
    assertThat(queue.pending().get(0).deliveryCount()).isZero();
  }

  @EachBackend
  @DisplayName("C338 the longest idle time takes only nacked entries; beyond is invalid")
  void claim_longestIdle(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> two = queue.append(2);
    queue.read("c1", 2);
    Queues queues = queue.queues();
    assertInvalid(queues.claim(queue.stream(), queue.group(), "c2", LONGEST.plusMillis(1)));
    get(queues.nack(queue.stream(), queue.group(), "c1", two.subList(1, 2)));
    assertThat(ids(get(queues.claim(queue.stream(), queue.group(), "c2", LONGEST)).entries()))
        .containsExactly(two.get(1));
  }

  @EachBackend
  @DisplayName("C339 a consumer with pending entries goes only when they may be discarded")
  void removeConsumer_pending(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append(2);
    queue.read("c1", 2);
    Queues queues = queue.queues();
    String s = queue.stream();
    String g = queue.group();
    assertThat(get(queues.removeConsumer(s, g, "c1"))).isEqualTo(new RemoveConsumer(false, 2));
    f.pass(ms(10));
    assertThat(queue.claim("c1", 1).entries()).hasSize(2);
    assertThat(get(queues.removeConsumer(s, g, "c1", true))).isEqualTo(new RemoveConsumer(true, 2));
    assertThat(queue.stats().pending()).isZero();
    assertThat(queue.stats().length()).isEqualTo(2);
    assertThat(queue.read("c1", 10)).isEmpty();
    assertThat(get(queues.removeConsumer(s, g, "nobody"))).isEqualTo(new RemoveConsumer(false, 0));
    assertThat(get(queues.removeConsumer(s, g, "c1"))).isEqualTo(new RemoveConsumer(false, 0));
  }

  @EachBackend
  @DisplayName("C340 a removed group takes its pending list along; the entries stay")
  void removeGroup_twice(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(3);
    queue.read("c", 2);
    Queues queues = queue.queues();
    assertThat(get(queues.removeGroup(queue.stream(), queue.group()))).isTrue();
    assertThat(get(queues.removeGroup(queue.stream(), queue.group()))).isFalse();
    assertThat(get(queues.removeGroup(f.slotKey("missing"), queue.group()))).isFalse();
    assertThat(get(queues.stats(queue.stream())).length()).isEqualTo(3);
    get(queues.ensureGroup(queue.stream(), queue.group()));
    assertThat(ids(queue.read("c", 10))).isEqualTo(all);
  }

  @EachBackend
  @DisplayName("C342 L11 consumers are listed from their first entry until they are removed")
  void groups_listConsumers(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    TestQueue before = queue.withGroup("B");
    queue.append(2);
    queue.read("d", 1);
    queue.ack(ids(queue.read("c", 1)));
    queue.read("asks only", 1);
    Queues queues = queue.queues();
    List<GroupInfo> groups = get(queues.groups(queue.stream()));
    assertThat(groups).extracting(GroupInfo::name).containsExactly("B", queue.group());
    assertThat(groups.get(0).consumers()).isEmpty();
    assertThat(groups.get(0).lag()).isEqualTo(2);
    assertThat(groups.get(1).consumers()).extracting(c -> c.name()).containsExactly("c", "d");
    assertThat(groups.get(1).consumers()).extracting(c -> c.pending()).containsExactly(0L, 1L);
    assertThat(groups.get(1).consumers()).allMatch(c -> c.idle().compareTo(seconds(5)) < 0);
    assertThat(groups.get(1).pending()).isEqualTo(1);
    assertThat(groups.get(1).lag()).isZero();
    assertThat(get(queues.removeConsumer(queue.stream(), queue.group(), "c")))
        .isEqualTo(new RemoveConsumer(true, 0));
    assertThat(get(queues.removeConsumer(queue.stream(), queue.group(), "asks only")))
        .isEqualTo(new RemoveConsumer(false, 0));
    assertThat(get(queues.groups(queue.stream())).get(1).consumers()).hasSize(1);
    assertThat(get(queues.groups(f.slotKey("missing")))).isEmpty();
    assertThat(before.read("x", 5)).hasSize(2);
  }

  @EachBackend
  @DisplayName("C487 12 000 stale entries are claimed in pages of at most 1 000, once each")
  void claim_many(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(12_000);
    queue.read("c1", 10_000);
    queue.read("c1", 10_000);
    f.pass(ms(20));
    List<String> claimed = new ArrayList<>();
    String next = TestQueue.BEGINNING;
    do {
      ClaimPage page = queue.claim("c2", 10, next, 10_000);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(1_000);
      claimed.addAll(ids(page.entries()));
      next = page.next();
    } while (!next.equals(TestQueue.BEGINNING));
    assertThat(claimed).isEqualTo(all);
  }

  @EachBackend
  @DisplayName("C487 12 000 fresh entries below a stale one: an empty page that goes on")
  void claim_behindManyFresh(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(12_001);
    queue.read("c1", 10_000);
    queue.read("c1", 10_000);
    get(queue.queues().nack(queue.stream(), queue.group(), "c1", all.subList(12_000, 12_001)));
    ClaimPage page = queue.claim("c2", HOUR, "0-0", 10_000);
    assertThat(page.entries()).isEmpty();
    assertThat(page.next()).isEqualTo(all.get(10_000));
    page = queue.claim("c2", HOUR, page.next(), 10_000);
    assertThat(ids(page.entries())).containsExactly(all.get(12_000));
    assertThat(page.isLast()).isTrue();
  }

  @EachBackend
  @DisplayName("L07 of eight that claim the same stale entries each gets others")
  void claim_concurrently(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> all = queue.append(1_000);
    queue.read("c", 1_000);
    f.pass(ms(1_020));
    List<Future<ClaimPage>> claims = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Queues handle = i % 2 == 0 ? f.state().queues() : f.second().queues();
      claims.add(handle.claim(queue.stream(), queue.group(), "w" + i, ms(1_000), "0-0", 1_000));
    }
    List<String> claimed = new ArrayList<>();
    claims.forEach(claim -> claimed.addAll(ids(get(claim).entries())));
    assertThat(claimed).containsExactlyInAnyOrderElementsOf(all);
  }
}
