package io.runtimestate.operation;

import io.runtimestate.data.AckDelete;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.StreamStats;
import io.runtimestate.data.TransferResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Operations on streams and their consumer groups.
 *
 * <p>Ids in lists are any texts: one that is not a canonical id cannot exist and is skipped.
 *
 * @param <R> the result
 */
public sealed interface QueueOperation<R> extends Operation<R> {
  /** The largest count of a read, a claim page or a pending page. */
  int MAX_COUNT = 10_000;

  /** How many entries one append takes at most. */
  int MAX_ENTRIES = 1_000;

  /**
   * How many fields an entry has at most where it is appended in one step with something else: in
   * {@link AppendAll}, {@link Transfer}, and {@link Append} with a limit.
   */
  int MAX_FIELDS = 3_900;

  /** The longest minimum idle time of a claim; a nacked entry is idle for that long. */
  Duration LONGEST_IDLE = Duration.ofDays(3_650);

  /**
   * Creates stream and group as needed; answers whether the group was created. An existing group
   * keeps its position.
   *
   * @param start delivery begins with the first greater id; {@code $}: after the last id ever
   *     generated in the stream
   */
  record EnsureGroup(String stream, String group, @Default("\"0-0\"") String start)
      implements QueueOperation<Boolean> {
    /** Checks the arguments. */
    public EnsureGroup {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      start = isEnd(start) ? start : Checks.start(this, "start", start);
    }

    /** Whether the group shall start after the last id of the stream. */
    public boolean isAtEnd() {
      return isEnd(start);
    }

    private static boolean isEnd(String start) {
      return "$".equals(start);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Appends an entry and answers its id; creates the stream if needed and wakes blocked readers.
   *
   * @param maxLen absent or 0: no limit; else the oldest entries go until so many remain
   */
  record Append(String stream, Map<String, String> fields, OptionalLong maxLen)
      implements QueueOperation<String> {
    /** Checks the arguments. */
    public Append {
      Checks.name(this, "stream", stream);
      maxLen = Checks.optionalCount(this, "maxLen", maxLen);
      fields =
          maxLen.orElse(0) == 0
              ? Checks.fields(this, "fields", fields)
              : Checks.fieldsInStep(this, "fields", fields);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Appends up to 1 000 entries in one step, each as {@link Append} does; answers all ids. */
  record AppendAll(String stream, List<Map<String, String>> entries, OptionalLong maxLen)
      implements QueueOperation<List<String>> {
    /** Checks the arguments. */
    public AppendAll {
      Checks.name(this, "stream", stream);
      entries = Checks.list(this, "entries", entries, MAX_ENTRIES, Checks::fieldsInStep);
      maxLen = Checks.optionalCount(this, "maxLen", maxLen);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Delivers entries after the position of the group to a consumer, in id order.
   *
   * @param count at most so many, up to 10 000; 0 counts as 1
   * @param block how long to wait if there is nothing new; absent: not at all
   */
  record Read(
      String stream,
      String group,
      String consumer,
      @Default("1") int count,
      Optional<Duration> block)
      implements QueueOperation<List<QueueEntry>> {
    /** Checks the arguments. */
    public Read {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      Checks.name(this, "consumer", consumer);
      count = (int) Math.max(1, Checks.within(this, "count", count, 0, MAX_COUNT));
      block = Checks.optionalPositive(this, "block", block);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Takes over pending entries that are idle for long enough, or were nacked.
   *
   * @param minIdle above zero, at most 3 650 days
   * @param start the lowest id to look at
   * @param count how many to take at most; a page takes no more than 1 000 and examines no more
   *     than ten times count
   */
  record Claim(
      String stream,
      String group,
      String consumer,
      Duration minIdle,
      @Default("\"0-0\"") String start,
      @Default("100") int count)
      implements QueueOperation<ClaimPage> {
    /** Checks the arguments. */
    public Claim {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      Checks.name(this, "consumer", consumer);
      minIdle = Checks.positive(this, "minIdle", minIdle);
      Checks.require(
          minIdle.compareTo(LONGEST_IDLE) <= 0, this, "minIdle", "must be at most 3650 days");
      start = Checks.start(this, "start", start);
      Checks.within(this, "count", count, 1, MAX_COUNT);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Removes ids from the pending list of a group; answers how many were there. Chunked.
   *
   * @param consumer only those pending for this one; absent: for anybody
   */
  record Ack(String stream, String group, List<String> ids, Optional<String> consumer)
      implements QueueOperation<Long> {
    /** Checks the arguments. */
    public Ack {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      ids = Checks.list(this, "ids", ids, Checks::text);
      consumer = Checks.optionalName(this, "consumer", consumer);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes entries, also from all pending lists; answers how many existed. Chunked. */
  record Delete(String stream, List<String> ids) implements QueueOperation<Long> {
    /** Checks the arguments. */
    public Delete {
      Checks.name(this, "stream", stream);
      ids = Checks.list(this, "ids", ids, Checks::text);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Acknowledges and deletes the entries that are pending in a group, also from all other pending
   * lists. Ids that are not pending are left alone. Chunked.
   *
   * @param consumer only those pending for this one; absent: for anybody
   */
  record AckAndDelete(String stream, String group, List<String> ids, Optional<String> consumer)
      implements QueueOperation<AckDelete> {
    /** Checks the arguments. */
    public AckAndDelete {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      ids = Checks.list(this, "ids", ids, Checks::text);
      consumer = Checks.optionalName(this, "consumer", consumer);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Makes entries pending for a consumer claimable at once; answers how many are. Chunked.
   *
   * @param countDelivery false: their last delivery does not count
   */
  record Nack(
      String stream,
      String group,
      String consumer,
      List<String> ids,
      @Default("true") boolean countDelivery)
      implements QueueOperation<Long> {
    /** Checks the arguments. */
    public Nack {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      Checks.name(this, "consumer", consumer);
      ids = Checks.list(this, "ids", ids, Checks::text);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Restarts the idle time of entries pending for a consumer; answers how many are. Chunked. */
  record Extend(String stream, String group, String consumer, List<String> ids)
      implements QueueOperation<Long> {
    /** Checks the arguments. */
    public Extend {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      Checks.name(this, "consumer", consumer);
      ids = Checks.list(this, "ids", ids, Checks::text);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Moves a pending entry to another stream, with other fields, in one step.
   *
   * @param fields what is appended to the destination
   * @param maxLen of the destination, as in {@link Append}
   * @param consumer only if the entry is pending for this one; absent: for anybody
   */
  record Transfer(
      String source,
      String group,
      String id,
      String destination,
      Map<String, String> fields,
      OptionalLong maxLen,
      Optional<String> consumer)
      implements QueueOperation<TransferResult> {
    /** Checks the arguments. */
    public Transfer {
      Checks.name(this, "source", source);
      Checks.name(this, "group", group);
      Checks.entryId(this, "id", id);
      Checks.name(this, "destination", destination);
      Checks.require(!source.equals(destination), this, "destination", "must not be the source");
      fields = Checks.fieldsInStep(this, "fields", fields);
      maxLen = Checks.optionalCount(this, "maxLen", maxLen);
      consumer = Checks.optionalName(this, "consumer", consumer);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Lists pending entries in id order.
   *
   * @param start the lowest id
   * @param consumer only those pending for this one; absent: for anybody
   */
  record Pending(
      String stream,
      String group,
      @Default("\"0-0\"") String start,
      @Default("100") int count,
      Optional<String> consumer)
      implements QueueOperation<PendingPage> {
    /** Checks the arguments. */
    public Pending {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      start = Checks.start(this, "start", start);
      Checks.within(this, "count", count, 1, MAX_COUNT);
      consumer = Checks.optionalName(this, "consumer", consumer);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Removes a consumer from a group.
   *
   * @param discardPending whether its pending entries are dropped; else it stays if it has any
   */
  record RemoveConsumer(
      String stream, String group, String consumer, @Default("false") boolean discardPending)
      implements QueueOperation<io.runtimestate.data.RemoveConsumer> {
    /** Checks the arguments. */
    public RemoveConsumer {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
      Checks.name(this, "consumer", consumer);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes a group with its pending list; answers whether it existed. */
  record RemoveGroup(String stream, String group) implements QueueOperation<Boolean> {
    /** Checks the arguments. */
    public RemoveGroup {
      Checks.name(this, "stream", stream);
      Checks.name(this, "group", group);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Lists the groups of a stream in byte order of the names. */
  record Groups(String stream) implements QueueOperation<List<GroupInfo>> {
    /** Checks the arguments. */
    public Groups {
      Checks.name(this, "stream", stream);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes the oldest entries until {@code maxLen} remain; answers how many. In steps. */
  record Trim(String stream, long maxLen) implements QueueOperation<Long> {
    /** Checks the arguments. */
    public Trim {
      Checks.name(this, "stream", stream);
      Checks.require(maxLen >= 0, this, "maxLen", "must not be negative");
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** One snapshot of a stream and, if given, of one of its groups. */
  record Stats(String stream, Optional<String> group) implements QueueOperation<StreamStats> {
    /** Checks the arguments. */
    public Stats {
      Checks.name(this, "stream", stream);
      group = Checks.optionalName(this, "group", group);
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
