package io.runtimestate.worker;

import io.runtimestate.data.AckDelete;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.TransferResult;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.operation.QueueOperation.Read;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calls of one worker. */
record WorkerDoor(StateBackend backend, WorkerSettings settings) {
  private static final String PROBE = "probe";

  Future<Boolean> ensureGroup(String start) {
    return backend.execute(
        new QueueOperation.EnsureGroup(settings.stream(), settings.group(), start));
  }

  /** Fails if entries could not move to the dead-letter stream; an id never given moves nothing. */
  Future<?> requireDeadLetters() {
    return transfer(EntryId.ZERO.toString(), Map.of(PROBE, PROBE));
  }

  Read reading(int count) {
    return new Read(
        settings.stream(),
        settings.group(),
        settings.consumer(),
        count,
        Optional.of(settings.block()));
  }

  Future<List<QueueEntry>> read(Read read) {
    return backend.execute(read);
  }

  void end(Read read) {
    backend.endRead(read);
  }

  Future<ClaimPage> claim(String start, int count) {
    return backend.execute(
        new QueueOperation.Claim(
            settings.stream(),
            settings.group(),
            settings.consumer(),
            Duration.ofMillis(settings.minIdle()),
            start,
            count));
  }

  Future<Long> extend(List<String> ids) {
    return backend.execute(
        new QueueOperation.Extend(settings.stream(), settings.group(), settings.consumer(), ids));
  }

  /** Gives back entries that no handler has seen. */
  Future<Long> giveBack(List<String> ids) {
    return backend.execute(
        new QueueOperation.Nack(
            settings.stream(), settings.group(), settings.consumer(), ids, false));
  }

  /** Ends an entry if it is still this worker's; whether it was. */
  Future<Boolean> finish(String id) {
    Optional<String> consumer = Optional.of(settings.consumer());
    List<String> ids = List.of(id);
    return settings.deleteAfterAck()
        ? backend
            .execute(
                new QueueOperation.AckAndDelete(settings.stream(), settings.group(), ids, consumer))
            .map(AckDelete::acked)
            .map(acked -> acked > 0)
        : backend
            .execute(new QueueOperation.Ack(settings.stream(), settings.group(), ids, consumer))
            .map(acked -> acked > 0);
  }

  /** Makes an entry a dead letter if it is still this worker's; whether it was. */
  Future<Boolean> transfer(String id, Map<String, String> fields) {
    return backend
        .execute(
            new QueueOperation.Transfer(
                settings.stream(),
                settings.group(),
                id,
                settings.deadLetterStream().orElseThrow(),
                fields,
                settings.deadLetterMaxLen(),
                Optional.of(settings.consumer())))
        .map(TransferResult::isTransferred);
  }

  Future<Optional<GroupInfo>> ownGroup() {
    return backend
        .execute(new QueueOperation.Groups(settings.stream()))
        .map(
            groups ->
                groups.stream().filter(group -> group.name().equals(settings.group())).findFirst());
  }

  /** Removes a consumer for which nothing is pending. */
  Future<?> removeConsumer(String consumer) {
    return backend.execute(
        new QueueOperation.RemoveConsumer(settings.stream(), settings.group(), consumer, false));
  }
}
