package io.runtimestate.redis;

import io.runtimestate.data.AckDelete;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.ConsumerInfo;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.Fields;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.PendingEntry;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RemoveConsumer;
import io.runtimestate.data.StreamStats;
import io.runtimestate.data.Utf8;
import io.runtimestate.operation.QueueOperation;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The replies of {@link Replies} that are about streams. */
final class StreamReplies {
  /**
   * How long ago a nacked entry was delivered, for the server; nothing else is idle for so long.
   */
  static final long NACKED_MILLIS = QueueOperation.LONGEST_IDLE.toMillis();

  private static final String END = EntryId.ZERO.toString();
  private static final long FIRST_DELIVERY = 1;

  private StreamReplies() {}

  /** XREADGROUP of one stream: nothing, or its entries; RESP3 has a map around them. */
  static List<QueueEntry> read(Response reply) {
    if (reply == null || reply.size() == 0) {
      return List.of();
    }
    Response entries =
        reply.isMap() ? reply.get(reply.getKeys().iterator().next()) : reply.get(0).get(1);
    return Replies.each(
        entries, entry -> new QueueEntry(id(entry), fields(entry.get(1)), FIRST_DELIVERY));
  }

  private static String id(Response entry) {
    return Replies.text(entry.get(0));
  }

  /** A body that is gone has no fields. */
  private static Fields fields(Response reply) {
    String[] texts = new String[reply == null ? 0 : reply.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = Replies.text(reply.get(i));
    }
    return Fields.ofPairs(texts);
  }

  static ClaimPage claim(Response reply) {
    List<QueueEntry> entries =
        Replies.list(reply.get(1)).stream()
            .map(
                entry ->
                    new QueueEntry(id(entry), fields(entry.get(2)), Replies.integer(entry.get(1))))
            .toList();
    return new ClaimPage(Replies.text(reply.get(0)), entries, Replies.texts(reply.get(2)));
  }

  /** XPENDING with one row more than was asked for, if there is one: there the next page begins. */
  static PendingPage pending(Response reply, int count) {
    List<PendingEntry> rows =
        Replies.list(reply).stream().map(StreamReplies::pendingEntry).toList();
    return rows.size() > count
        ? new PendingPage(rows.get(count).id(), rows.subList(0, count))
        : new PendingPage(END, rows);
  }

  private static PendingEntry pendingEntry(Response row) {
    long idle = Replies.integer(row.get(2));
    boolean nacked = idle >= NACKED_MILLIS;
    return new PendingEntry(
        id(row),
        Replies.text(row.get(1)),
        Duration.ofMillis(nacked ? idle - NACKED_MILLIS : idle),
        Replies.integer(row.get(3)),
        nacked);
  }

  static AckDelete ackDelete(Response reply) {
    return new AckDelete(Replies.integer(reply.get(0)), Replies.integer(reply.get(1)));
  }

  static RemoveConsumer removeConsumer(Response reply) {
    return new RemoveConsumer(Replies.flag(reply.get(0)), Replies.integer(reply.get(1)));
  }

  static List<GroupInfo> groups(Response reply) {
    return Replies.list(reply).stream()
        .map(StreamReplies::group)
        .sorted(Comparator.comparing(GroupInfo::name, Utf8.BYTE_ORDER))
        .toList();
  }

  private static GroupInfo group(Response row) {
    List<ConsumerInfo> consumers =
        Replies.list(row.get(4)).stream()
            .map(StreamReplies::consumer)
            .sorted(Comparator.comparing(ConsumerInfo::name, Utf8.BYTE_ORDER))
            .toList();
    return new GroupInfo(
        Replies.text(row.get(0)),
        Replies.text(row.get(1)),
        Replies.integer(row.get(2)),
        Replies.integer(row.get(3)),
        consumers);
  }

  private static ConsumerInfo consumer(Response row) {
    return new ConsumerInfo(
        Replies.text(row.get(0)),
        Replies.integer(row.get(1)),
        Duration.ofMillis(Replies.integer(row.get(2))));
  }

  static StreamStats stats(Response reply) {
    long length = Replies.integer(reply.get(0));
    if (reply.size() == 1) {
      return new StreamStats(length, 0, Optional.empty(), Optional.empty());
    }
    long oldest = Replies.integer(reply.get(3));
    return new StreamStats(
        length,
        Replies.integer(reply.get(1)),
        Optional.of(Replies.integer(reply.get(2))),
        oldest < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(oldest)));
  }
}
