package io.runtimestate;

import io.runtimestate.data.AckDelete;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RemoveConsumer;
import io.runtimestate.data.StreamStats;
import io.runtimestate.data.TransferResult;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.worker.QueueMessage;
import io.runtimestate.worker.QueueMessageStream;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.runtimestate.worker.Redrive;
import io.runtimestate.worker.WorkerRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Work queues: streams of entries that consumer groups share among their consumers.
 *
 * <p>A group has a position and a pending list. {@link #read} delivers entries after the position,
 * each to one consumer, and keeps them pending until they are acknowledged; what a consumer leaves
 * behind is taken over by {@link #claim}. Delivery is therefore at least once. Groups do not affect
 * each other. Removing an entry, in whatever way, removes it from the pending lists of all groups.
 *
 * <p>Streams, groups and consumers are names of 1 to 65 536 bytes that are not blank; ids are two
 * 64-bit numbers with a dash between, and grow in the order of appending. A text in a list of ids
 * that is no id is skipped, a repeated one counts once. Unless something else is said, a missing
 * stream fails {@code NO_SUCH_STREAM}, a missing group {@code NO_SUCH_GROUP}, a key of another type
 * {@code WRONG_TYPE}. Every call is one atomic step; calls with a list of ids, at most 100 000,
 * work in atomic pieces of 1 000.
 */
public final class Queues {
  private static final String BEGINNING = "0-0";
  private static final int DEFAULT_COUNT = 100;

  private final Door door;
  private final StateBackend workersDoor;
  private final WorkerRegistry registry;

  /**
   * @param workersDoor through which workers wind down when {@code door} is shut already
   * @param registry where workers sign in
   */
  Queues(Door door, StateBackend workersDoor, WorkerRegistry registry) {
    this.door = door;
    this.workersDoor = workersDoor;
    this.registry = registry;
  }

  /**
   * The same from the beginning of the stream; see {@link #ensureGroup(String, String, String)}.
   */
  public Future<Boolean> ensureGroup(String stream, String group) {
    return ensureGroup(stream, group, BEGINNING);
  }

  /**
   * Creates stream and group as needed. A group that exists keeps its position.
   *
   * @param start delivery begins with the first greater id; {@code $}: after the last id ever
   *     generated
   * @return true if the group was created
   */
  public Future<Boolean> ensureGroup(String stream, String group, String start) {
    return door.call(() -> new QueueOperation.EnsureGroup(stream, group, start));
  }

  /** Appends an entry; see {@link #append(String, Map, long)}. */
  public Future<String> append(String stream, Map<String, String> fields) {
    return append(stream, fields, 0);
  }

  /**
   * Appends an entry, creating the stream if needed, and wakes blocked readers.
   *
   * @param fields not empty, with a limit at most 3 900; empty names and values are legal
   * @param maxLen 0: no limit; else the oldest entries go until so many remain, which loses what
   *     was not delivered or not finished
   * @return the id. Fails {@code CAPACITY_EXHAUSTED} without room, or when the last id is used up
   */
  public Future<String> append(String stream, Map<String, String> fields, long maxLen) {
    return door.call(() -> new QueueOperation.Append(stream, fields, OptionalLong.of(maxLen)));
  }

  /** Appends entries; see {@link #appendAll(String, List, long)}. */
  public Future<List<String>> appendAll(String stream, List<Map<String, String>> entries) {
    return appendAll(stream, entries, 0);
  }

  /**
   * Appends up to 1 000 entries in order, in one step. Each has at most 3 900 fields.
   *
   * @param maxLen as in {@link #append(String, Map, long)}, applied after the last
   * @return all ids, also of entries that were trimmed again at once
   */
  public Future<List<String>> appendAll(
      String stream, List<Map<String, String>> entries, long maxLen) {
    return door.call(() -> new QueueOperation.AppendAll(stream, entries, OptionalLong.of(maxLen)));
  }

  /** Reads one entry without waiting; see {@link #read(String, String, String, int, Duration)}. */
  public Future<List<QueueEntry>> read(String stream, String group, String consumer) {
    return read(stream, group, consumer, 1, null);
  }

  /** Reads without waiting; see {@link #read(String, String, String, int, Duration)}. */
  public Future<List<QueueEntry>> read(String stream, String group, String consumer, int count) {
    return read(stream, group, consumer, count, null);
  }

  /**
   * Delivers entries after the position of the group, in id order, and keeps them pending for the
   * consumer. Blocked readers of a group are served first come, first served.
   *
   * @param count at most so many, up to 10 000; 0 counts as 1
   * @param block how long to wait if there is nothing new, above zero; null: not at all
   * @return the entries; empty if there were none within {@code block}. While it waits it fails
   *     {@code NO_SUCH_STREAM} or {@code NO_SUCH_GROUP} if they go; {@code OVERLOADED} if {@code
   *     maxBlockedReads} wait already
   */
  public Future<List<QueueEntry>> read(
      String stream, String group, String consumer, int count, Duration block) {
    return door.call(
        () -> new QueueOperation.Read(stream, group, consumer, count, Optional.ofNullable(block)));
  }

  /** The first page of a claim of up to 100 entries. */
  public Future<ClaimPage> claim(String stream, String group, String consumer, Duration minIdle) {
    return claim(stream, group, consumer, minIdle, BEGINNING, DEFAULT_COUNT);
  }

  /**
   * Takes over pending entries, in id order, that are idle for long enough or were nacked: they
   * become pending for this consumer, their idle time restarts and their delivery count grows. A
   * page may be empty although more follow; go on from its {@code next} until that is {@code 0-0}.
   *
   * @param minIdle above zero, at most 3 650 days
   * @param start the lowest id to look at
   * @param count at most so many, 1 to 10 000; a page examines at most ten times as many (at most
   *     10 000) and takes at most 1 000
   */
  public Future<ClaimPage> claim(
      String stream, String group, String consumer, Duration minIdle, String start, int count) {
    return door.call(
        () -> new QueueOperation.Claim(stream, group, consumer, minIdle, start, count));
  }

  /** Acknowledges entries whoever they are pending for; see the form with a consumer. */
  public Future<Long> ack(String stream, String group, List<String> ids) {
    return ack(stream, group, ids, null);
  }

  /**
   * Removes entries from the pending list of the group; they stay in the stream.
   *
   * @param consumer only those pending for this one; null: for anybody
   * @return how many were pending
   */
  public Future<Long> ack(String stream, String group, List<String> ids, String consumer) {
    return door.call(
        () -> new QueueOperation.Ack(stream, group, ids, Optional.ofNullable(consumer)));
  }

  /** Removes entries, also from all pending lists; answers how many existed. */
  public Future<Long> delete(String stream, List<String> ids) {
    return door.call(() -> new QueueOperation.Delete(stream, ids));
  }

  /** Acknowledges and deletes entries whoever they are pending for. */
  public Future<AckDelete> ackAndDelete(String stream, String group, List<String> ids) {
    return ackAndDelete(stream, group, ids, null);
  }

  /**
   * Acknowledges the entries that are pending in the group and deletes them, also from the pending
   * lists of other groups: meant for streams with one group. Ids that are not pending are left
   * alone.
   *
   * @param consumer only those pending for this one; null: for anybody
   */
  public Future<AckDelete> ackAndDelete(
      String stream, String group, List<String> ids, String consumer) {
    return door.call(
        () -> new QueueOperation.AckAndDelete(stream, group, ids, Optional.ofNullable(consumer)));
  }

  /** Gives entries back; their delivery counts. */
  public Future<Long> nack(String stream, String group, String consumer, List<String> ids) {
    return nack(stream, group, consumer, ids, true);
  }

  /**
   * Gives entries back that are pending for the consumer: they stay pending, but any claim takes
   * them at once. Nobody is woken.
   *
   * @param countDelivery false: their last delivery never happened
   * @return how many are given back, those included that were before
   */
  public Future<Long> nack(
      String stream, String group, String consumer, List<String> ids, boolean countDelivery) {
    return door.call(() -> new QueueOperation.Nack(stream, group, consumer, ids, countDelivery));
  }

  /** Restarts the idle time of entries that are pending for the consumer; answers how many. */
  public Future<Long> extend(String stream, String group, String consumer, List<String> ids) {
    return door.call(() -> new QueueOperation.Extend(stream, group, consumer, ids));
  }

  /** Moves an entry whoever it is pending for, to a stream without limit. */
  public Future<TransferResult> transfer(
      String source, String group, String id, String destination, Map<String, String> fields) {
    return transfer(source, group, id, destination, fields, 0, null);
  }

  /**
   * Moves a pending entry to another stream in one step: appends {@code fields} there, acknowledges
   * the entry in all groups of the source and deletes it. Of repeated or concurrent calls exactly
   * one moves it.
   *
   * @param id a canonical id
   * @param fields what is appended to the destination; 1 to 3 900
   * @param maxLen of the destination; 0: no limit
   * @param consumer only if the entry is pending for this one; null: for anybody
   * @return not pending if the entry is not pending in the group; nothing happened then. Fails
   *     {@code CROSS_SLOT} where slots matter and the streams have no common one
   */
  public Future<TransferResult> transfer(
      String source,
      String group,
      String id,
      String destination,
      Map<String, String> fields,
      long maxLen,
      String consumer) {
    return door.call(
        () ->
            new QueueOperation.Transfer(
                source,
                group,
                id,
                destination,
                fields,
                OptionalLong.of(maxLen),
                Optional.ofNullable(consumer)));
  }

  /** The first 100 pending entries of a group. */
  public Future<PendingPage> pending(String stream, String group) {
    return pending(stream, group, BEGINNING, DEFAULT_COUNT, null);
  }

  /**
   * Lists pending entries in id order and changes nothing.
   *
   * @param start the lowest id
   * @param count at most so many, 1 to 10 000
   * @param consumer only those pending for this one; null: for anybody
   */
  public Future<PendingPage> pending(
      String stream, String group, String start, int count, String consumer) {
    return door.call(
        () ->
            new QueueOperation.Pending(stream, group, start, count, Optional.ofNullable(consumer)));
  }

  /** Removes a consumer that has nothing pending. */
  public Future<RemoveConsumer> removeConsumer(String stream, String group, String consumer) {
    return removeConsumer(stream, group, consumer, false);
  }

  /**
   * Removes a consumer from a group; checking and removing are one step.
   *
   * @param discardPending true: its pending entries are dropped and never delivered again in this
   *     group; false: a consumer with pending entries stays, claim them first
   */
  public Future<RemoveConsumer> removeConsumer(
      String stream, String group, String consumer, boolean discardPending) {
    return door.call(
        () -> new QueueOperation.RemoveConsumer(stream, group, consumer, discardPending));
  }

  /** Removes a group and its pending list; blocked readers fail. True if it existed. */
  public Future<Boolean> removeGroup(String stream, String group) {
    return door.call(() -> new QueueOperation.RemoveGroup(stream, group));
  }

  /** The groups of a stream in byte order of the names; none if the stream is missing. */
  public Future<List<GroupInfo>> groups(String stream) {
    return door.call(() -> new QueueOperation.Groups(stream));
  }

  /**
   * Removes the oldest entries until {@code maxLen} remain, in atomic steps of 1 000.
   *
   * @param maxLen 0 empties the stream
   * @return how many were removed; 0 if the stream is missing
   */
  public Future<Long> trim(String stream, long maxLen) {
    return door.call(() -> new QueueOperation.Trim(stream, maxLen));
  }

  /** The length of a stream. */
  public Future<StreamStats> stats(String stream) {
    return stats(stream, null);
  }

  /** One snapshot of a stream and a group; what is missing counts as empty. */
  public Future<StreamStats> stats(String stream, String group) {
    return door.call(() -> new QueueOperation.Stats(stream, Optional.ofNullable(group)));
  }

  /**
   * Makes a worker, which is not started: it handles entries with a number of them at a time, keeps
   * them while they are handled, retries failed ones and archives what cannot be handled.
   *
   * @param handler called with each message; a failed future, a null one, or a throw is a failure
   * @throws io.runtimestate.data.RuntimeStateException INVALID_CONFIGURATION naming the option that
   *     breaks its rule
   */
  public QueueWorker worker(QueueWorkerOptions options, Function<QueueMessage, Future<?>> handler) {
    return new QueueWorker(door.vertx(), workersDoor, registry, options, handler);
  }

  /**
   * Makes a worker whose messages are a stream with demand; it is not started.
   *
   * @throws io.runtimestate.data.RuntimeStateException INVALID_CONFIGURATION naming the option that
   *     breaks its rule
   */
  public QueueMessageStream messages(QueueWorkerOptions options) {
    return new QueueMessageStream(door.vertx(), workersDoor, registry, options);
  }

  /**
   * Moves dead letters of workers back to the streams they came from, oldest first, with their
   * original fields; exactly once each, also if it is interrupted and repeated.
   *
   * @param count at most so many, 1 to 10 000
   * @return how many were moved. What a failed call moved stays moved
   */
  public Future<Long> redrive(String deadLetterStream, int count) {
    return Redrive.run(door.vertx(), door.backend(), deadLetterStream, count);
  }
}
