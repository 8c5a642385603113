package io.runtimestate.memory.table;

import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.ConsumerInfo;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.PendingEntry;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RemoveConsumer;
import io.runtimestate.data.Utf8;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A consumer group of a stream: its position, what is pending, who consumes and who waits.
 *
 * <p>The lag is exact and free to read. The stream counts what was ever appended, the group counts
 * what of that no longer lies before it: delivered, removed behind its position, or appended at or
 * below a position that was set ahead of the stream.
 */
public final class ConsumerGroup {
  /** Estimated bytes beside the name. */
  static final int OVERHEAD = 128;

  private static final int EXAMINED_FOR_OLDEST = 1_000;
  private static final String END = EntryId.ZERO.toString();

  private final String name;
  private final StreamEntry stream;
  private final IdList<PendingMessage> pending = new IdList<>();
  private final Map<String, GroupConsumer> consumers = new TreeMap<>(Utf8.BYTE_ORDER);
  private final WaitingLine line = new WaitingLine();
  private EntryId position;
  private long passed;

  ConsumerGroup(String name, StreamEntry stream, EntryId position) {
    this.name = name;
    this.stream = stream;
    this.position = position;
    this.passed = stream.added() - stream.countAfter(position);
  }

  String name() {
    return name;
  }

  /** How many entries exist after the position. */
  public long lag() {
    return stream.added() - passed;
  }

  /** How many entries were delivered and not acknowledged. */
  public int pending() {
    return pending.size();
  }

  /** Delivers entries after the position to a consumer; none if there is nothing new. */
  public List<QueueEntry> deliver(String consumerName, int count, long now) {
    List<QueueEntry> entries = new ArrayList<>(Math.min(count, (int) Math.min(lag(), count)));
    if (lag() > 0) {
      GroupConsumer consumer = receiver(consumerName, now);
      stream.after(
          position,
          message -> {
            PendingMessage delivered = new PendingMessage(message, consumer, now);
            pending.add(delivered);
            consumer.pending.add(delivered);
            position = message.id();
            entries.add(delivered.delivered());
            return entries.size() < count;
          });
      passed += entries.size();
    }
    return Collections.unmodifiableList(entries);
  }

  private GroupConsumer receiver(String consumerName, long now) {
    GroupConsumer consumer = consumers.get(consumerName);
    if (consumer == null) {
      consumer = new GroupConsumer(consumerName);
      consumers.put(consumerName, consumer);
      stream.grow(bytes(consumer));
    }
    consumer.lastReceived = now;
    return consumer;
  }

  private static long bytes(GroupConsumer consumer) {
    return GroupConsumer.OVERHEAD + Utf8.length(consumer.name());
  }

  /** Puts a reader at the end of the line. */
  public void await(GroupWaiter waiter) {
    line.add(waiter);
  }

  /** Gives what is there to those who wait, in order. */
  void serve(long now) {
    while (lag() > 0 && !line.isEmpty()) {
      GroupWaiter waiter = line.poll();
      waiter.served(deliver(waiter.consumer, waiter.count, now));
    }
  }

  void failWaiters(FailureCode code) {
    line.failAll(code);
  }

  /** Hears of a new entry: one at or below the position will never be delivered. */
  void appended(EntryId id) {
    if (id.compareTo(position) <= 0) {
      passed++;
    }
  }

  /** Hears that an entry is gone; answers whether the group had not finished it. */
  boolean removed(EntryId id) {
    boolean undelivered = id.compareTo(position) > 0;
    if (undelivered) {
      passed++;
    }
    return undelivered || finish(id, Optional.empty());
  }

  /** Whether an entry is pending, for that consumer if one is given. */
  public boolean isPending(EntryId id, Optional<String> consumer) {
    return find(id, consumer) != null;
  }

  private PendingMessage find(EntryId id, Optional<String> consumer) {
    PendingMessage found = pending.get(id);
    return found == null || consumer.isEmpty() || found.consumer.name().equals(consumer.get())
        ? found
        : null;
  }

  /** Ends an entry that is pending, for that consumer if one is given; false if it is not. */
  public boolean finish(EntryId id, Optional<String> consumer) {
    PendingMessage found = find(id, consumer);
    if (found != null) {
      pending.remove(id);
      found.consumer.pending.remove(id);
    }
    return found != null;
  }

  /** Gives an entry back that is pending for that consumer; false if it is not. */
  public boolean nack(EntryId id, String consumer, boolean countDelivery, long now) {
    PendingMessage found = find(id, Optional.of(consumer));
    if (found != null) {
      found.nack(countDelivery, now);
    }
    return found != null;
  }

  /** Restarts the idle time of an entry that is pending for that consumer; false if it is not. */
  public boolean extend(EntryId id, String consumer, long now) {
    PendingMessage found = find(id, Optional.of(consumer));
    if (found != null) {
      found.extend(now);
    }
    return found != null;
  }

  /**
   * One page of a claim.
   *
   * @param examine how many pending entries are looked at, at most
   * @param take how many of them are taken over, at most
   */
  public ClaimPage claim(
      String consumer, long minIdleMillis, EntryId start, int examine, int take, long now) {
    List<PendingMessage> stale = new ArrayList<>();
    String[] next = {END};
    int[] examined = {0};
    pending.from(
        start,
        message -> {
          if (examined[0] == examine || stale.size() == take) {
            next[0] = message.id().toString();
            return false;
          }
          examined[0]++;
          if (message.isClaimable(minIdleMillis, now)) {
            stale.add(message);
          }
          return true;
        });
    return new ClaimPage(next[0], takeOver(stale, consumer, now), List.of());
  }

  private List<QueueEntry> takeOver(List<PendingMessage> stale, String consumerName, long now) {
    if (stale.isEmpty()) {
      return List.of();
    }
    GroupConsumer consumer = receiver(consumerName, now);
    List<QueueEntry> entries = new ArrayList<>(stale.size());
    for (PendingMessage message : stale) {
      if (message.consumer != consumer) {
        message.consumer.pending.remove(message.id());
        message.consumer = consumer;
        consumer.pending.add(message);
      }
      message.redelivered(now);
      entries.add(message.delivered());
    }
    return entries;
  }

  /** One page of what is pending, of one consumer if one is given. */
  public PendingPage page(EntryId start, int count, Optional<String> consumer, long now) {
    List<PendingEntry> entries = new ArrayList<>();
    String[] next = {END};
    pendingOf(consumer)
        .from(
            start,
            message -> {
              if (entries.size() == count) {
                next[0] = message.id().toString();
                return false;
              }
              entries.add(message.described(now));
              return true;
            });
    return new PendingPage(next[0], entries);
  }

  private IdList<PendingMessage> pendingOf(Optional<String> consumer) {
    if (consumer.isEmpty()) {
      return pending;
    }
    GroupConsumer known = consumers.get(consumer.get());
    return known == null ? new IdList<>() : known.pending;
  }

  /** Removes a consumer, unless something is pending for it that is not to be discarded. */
  public RemoveConsumer remove(String consumerName, boolean discardPending) {
    GroupConsumer consumer = consumers.get(consumerName);
    if (consumer == null) {
      return new RemoveConsumer(false, 0);
    }
    int held = consumer.pending.size();
    if (held > 0 && !discardPending) {
      return new RemoveConsumer(false, held);
    }
    while (!consumer.pending.isEmpty()) {
      finish(consumer.pending.first().id(), Optional.empty());
    }
    consumers.remove(consumerName);
    stream.grow(-bytes(consumer));
    return new RemoveConsumer(true, held);
  }

  /** The largest idle time among the lowest pending ids; absent if nothing is pending. */
  public Optional<Duration> oldestIdle(long now) {
    long[] oldest = {-1};
    int[] examined = {0};
    pending.from(
        EntryId.ZERO,
        message -> {
          oldest[0] = Math.max(oldest[0], message.idleMillis(now));
          return ++examined[0] < EXAMINED_FOR_OLDEST;
        });
    return oldest[0] < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(oldest[0]));
  }

  GroupInfo info(long now) {
    List<ConsumerInfo> known =
        consumers.values().stream().map(consumer -> consumer.info(now)).toList();
    return new GroupInfo(name, position.toString(), pending.size(), lag(), known);
  }

  /** The estimated size of a group of that name without consumers. */
  static long bytesOf(String name) {
    return OVERHEAD + Utf8.length(name);
  }

  /** The estimated size of the group with its consumers. */
  long bytes() {
    long bytes = bytesOf(name);
    for (GroupConsumer consumer : consumers.values()) {
      bytes += bytes(consumer);
    }
    return bytes;
  }
}
