package io.runtimestate.soak;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.data.ConsumerInfo;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.PendingEntry;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.StreamStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Counts entry by entry what is in the streams and compares it with the figures the store tells and
 * with the ledger. Nobody else may use the store meanwhile.
 */
final class Audit {
  private static final String AUDITOR = "auditor";
  private static final int PAGE = 10_000;
  private static final long EXACT_UP_TO = 1_000;

  private final Queues queues;
  private final Soak.Streams streams;
  private final Ledger ledger;
  private final boolean exact;
  private final Map<String, QueueEntry> dead = new HashMap<>();
  private int samples;

  /** What is there, counted one by one. */
  private record Truth(Set<String> ids, Map<String, String> pending, String position) {
    long lag() {
      EntryId from = EntryId.parse(position);
      return ids.stream().filter(id -> EntryId.parse(id).compareTo(from) > 0).count();
    }
  }

  Audit(SoakStore store, Soak.Streams streams, Ledger ledger) {
    this.queues = store.audit().queues();
    this.streams = streams;
    this.ledger = ledger;
    this.exact = store.countsExactly();
    get(queues.ensureGroup(streams.dead(), AUDITOR));
  }

  int samples() {
    return samples;
  }

  /** By the id of the entry that it was. */
  Map<String, QueueEntry> dead() {
    return dead;
  }

  /** Takes a sample; what the store was told by connections that are cut may still come in. */
  void sample() {
    Truth before = count();
    StreamStats stats = get(queues.stats(streams.work(), streams.group()));
    GroupInfo group = group();
    Truth after = count();
    while (!before.equals(after)) {
      before = after;
      stats = get(queues.stats(streams.work(), streams.group()));
      group = group();
      after = count();
    }
    samples++;
    compare(stats, after);
    compare(group, after);
    requireEachInOnePlace(after);
  }

  private GroupInfo group() {
    return get(queues.groups(streams.work())).stream()
        .filter(group -> group.name().equals(streams.group()))
        .findFirst()
        .orElseThrow();
  }

  private Truth count() {
    readDeadLetters();
    return new Truth(entries(), pending(), group().lastDeliveredId());
  }

  /** All entries, by a group that sees them from the beginning. */
  private Set<String> entries() {
    get(queues.ensureGroup(streams.work(), AUDITOR));
    Set<String> ids = new LinkedHashSet<>();
    for (List<QueueEntry> page = page(streams.work());
        !page.isEmpty();
        page = page(streams.work())) {
      page.forEach(entry -> ids.add(entry.id()));
    }
    get(queues.removeGroup(streams.work(), AUDITOR));
    return ids;
  }

  private List<QueueEntry> page(String stream) {
    return get(queues.read(stream, AUDITOR, AUDITOR, PAGE));
  }

  private Map<String, String> pending() {
    Map<String, String> consumers = new HashMap<>();
    String next = EntryId.ZERO.toString();
    do {
      PendingPage page = get(queues.pending(streams.work(), streams.group(), next, PAGE, null));
      for (PendingEntry entry : page.entries()) {
        consumers.put(entry.id(), entry.consumer());
      }
      next = page.next();
    } while (!next.equals(EntryId.ZERO.toString()));
    return consumers;
  }

  /** They only ever grow in number, so each is read once. */
  private void readDeadLetters() {
    for (List<QueueEntry> page = page(streams.dead());
        !page.isEmpty();
        page = page(streams.dead())) {
      for (QueueEntry letter : page) {
        QueueEntry earlier = dead.put(letter.fields().get("id"), letter);
        assertThat(earlier).as("a dead letter twice").isNull();
      }
    }
  }

  private void compare(StreamStats stats, Truth truth) {
    assertThat(stats.length()).as("length").isEqualTo(truth.ids.size());
    assertThat(stats.pending()).as("pending").isEqualTo(truth.pending.size());
    assertThat(stats.oldestPendingIdle().isPresent()).isEqualTo(!truth.pending.isEmpty());
    requireLag(stats.lag().orElseThrow(), truth);
  }

  private void requireLag(long told, Truth truth) {
    long lag = truth.lag();
    if (exact || lag <= EXACT_UP_TO || truth.ids.size() - lag <= EXACT_UP_TO) {
      assertThat(told).as("lag").isEqualTo(lag);
    } else {
      assertThat(told).as("lag of %s", lag).isBetween(EXACT_UP_TO + 1, (long) truth.ids.size());
    }
  }

  private void compare(GroupInfo group, Truth truth) {
    assertThat(group.pending()).isEqualTo(truth.pending.size());
    requireLag(group.lag(), truth);
    Map<String, Long> ofConsumers =
        group.consumers().stream()
            .filter(consumer -> consumer.pending() > 0)
            .collect(Collectors.toMap(ConsumerInfo::name, ConsumerInfo::pending));
    Map<String, Long> counted =
        truth.pending.values().stream()
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
    assertThat(ofConsumers).as("pending by consumer").isEqualTo(counted);
  }

  private void requireEachInOnePlace(Truth truth) {
    assertThat(truth.ids).as("pending entries exist").containsAll(truth.pending.keySet());
    List<String> inTwo = truth.ids.stream().filter(dead::containsKey).toList();
    assertThat(inTwo).as("in the stream and dead").isEmpty();
    List<Integer> lost = new ArrayList<>();
    ledger.unfinished().stream()
        .filter(number -> !truth.ids.contains(ledger.id(number)))
        .filter(number -> !dead.containsKey(ledger.id(number)))
        .forEach(lost::add);
    assertThat(lost).as("lost").isEmpty();
    assertThat(ledger.violations()).isEmpty();
  }
}
