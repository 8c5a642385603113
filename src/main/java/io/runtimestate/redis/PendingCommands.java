package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.ADMIN;
import static io.runtimestate.redis.LaneKind.CONTROL;
import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.AckDelete;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.TransferResult;
import io.runtimestate.operation.QueueOperation.Ack;
import io.runtimestate.operation.QueueOperation.AckAndDelete;
import io.runtimestate.operation.QueueOperation.Claim;
import io.runtimestate.operation.QueueOperation.Extend;
import io.runtimestate.operation.QueueOperation.Nack;
import io.runtimestate.operation.QueueOperation.Pending;
import io.runtimestate.operation.QueueOperation.RemoveConsumer;
import io.runtimestate.operation.QueueOperation.Transfer;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Optional;

/** Pending lists: what becomes of entries that were delivered. */
final class PendingCommands implements Family {
  private static final Script CLAIM = Script.load("stream", "queue_claim");
  private static final Script ACK = Script.load("stream", "queue_ack");
  private static final Script ACK_DELETE = Script.load("stream", "queue_ack_delete");
  private static final Script SET_IDLE = Script.load("stream", "queue_set_idle");
  private static final Script TRANSFER = Script.load("stream", "queue_transfer");
  private static final Script REMOVE_CONSUMER = Script.load("stream", "queue_remove_consumer");
  private static final int EXAMINED_PER_TAKEN = 10;
  private static final int MAX_EXAMINED = 10_000;
  private static final int MAX_TAKEN = 1_000;
  private static final int FEW = 100;
  private static final String ANYBODY = "";

  private final Keyspace keys;
  private final StreamCounts counts;

  PendingCommands(Keyspace keys, StreamCounts counts) {
    this.keys = keys;
    this.counts = counts;
  }

  @Override
  public void register(Commands commands) {
    commands.on(Claim.class, FAST, this::claim, StreamReplies::claim);
    commands.on(Ack.class, this::ack);
    commands.on(AckAndDelete.class, this::ackAndDelete);
    commands.on(Nack.class, this::nack);
    commands.on(Extend.class, this::extend);
    commands.on(Transfer.class, this::transfer);
    commands.on(Pending.class, this::pending);
    commands.on(RemoveConsumer.class, FAST, this::removing, StreamReplies::removeConsumer);
  }

  @Override
  public List<Script> scripts() {
    return List.of(CLAIM, ACK, ACK_DELETE, SET_IDLE, TRANSFER, REMOVE_CONSUMER);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    String key = keys.data(unused);
    return List.of(
        RedisCommand.of(Command.XACK).arg(key).arg("group").arg("0-0"),
        RedisCommand.of(Command.XPENDING).arg(key).arg("group"),
        RedisCommand.of(Command.XCLAIM).arg(key).arg("group").arg("consumer").arg(0).arg("0-0"),
        RedisCommand.of(Command.TYPE).arg(key),
        RedisCommand.of(Command.XINFO).arg("CONSUMERS").arg(key).arg("group"),
        RedisCommand.of(Command.XGROUP).arg("DELCONSUMER").arg(key).arg("group").arg("consumer"));
  }

  private RedisCommand claim(Claim claim) {
    return CLAIM
        .on(keys.data(claim.stream()))
        .arg(claim.group())
        .arg(claim.consumer())
        .arg(claim.minIdle())
        .arg(claim.start())
        .arg(Math.min(claim.count() * EXAMINED_PER_TAKEN, MAX_EXAMINED))
        .arg(Math.min(claim.count(), MAX_TAKEN));
  }

  private Future<Long> ack(Ack ack, Call call) {
    return StreamIds.inPieces(
            call,
            ack.ids(),
            (lane, ids) ->
                call.send(
                    lane,
                    on(ACK, ack.stream(), ack.group(), ack.consumer()).args(ids),
                    Replies::integer))
        .map(StreamIds::sum);
  }

  private RedisCommand on(Script script, String stream, String group, Optional<String> consumer) {
    return script.on(keys.data(stream)).arg(group).arg(consumer.orElse(ANYBODY));
  }

  private Future<AckDelete> ackAndDelete(AckAndDelete ack, Call call) {
    return StreamIds.inPieces(
            call,
            ack.ids(),
            (lane, ids) ->
                call.send(
                    lane,
                    on(ACK_DELETE, ack.stream(), ack.group(), ack.consumer()).args(ids),
                    StreamReplies::ackDelete))
        .map(PendingCommands::sum);
  }

  private static AckDelete sum(List<AckDelete> pieces) {
    return new AckDelete(
        pieces.stream().mapToLong(AckDelete::acked).sum(),
        pieces.stream().mapToLong(AckDelete::deleted).sum());
  }

  private Future<Long> nack(Nack nack, Call call) {
    RedisIdle idle = new RedisIdle(StreamReplies.NACKED_MILLIS, nack.countDelivery() ? 0 : 1);
    return StreamIds.distinctInPieces(
            call,
            nack.ids(),
            (lane, ids) ->
                setIdle(lane, nack.stream(), nack.group(), nack.consumer(), idle, ids, call))
        .map(StreamIds::sum);
  }

  /** A few are a heartbeat, which must not wait behind anything large. */
  private Future<Long> extend(Extend extend, Call call) {
    RedisIdle idle = new RedisIdle(0, 0);
    LaneKind lane = extend.ids().size() <= FEW ? CONTROL : ADMIN;
    return StreamIds.distinctInPieces(
            call,
            extend.ids(),
            (usual, ids) ->
                setIdle(lane, extend.stream(), extend.group(), extend.consumer(), idle, ids, call))
        .map(StreamIds::sum);
  }

  /** An idle time as the server is told it, and deliveries that shall not count. */
  private record RedisIdle(long millis, int uncounted) {}

  private Future<Long> setIdle(
      LaneKind lane,
      String stream,
      String group,
      String consumer,
      RedisIdle idle,
      List<String> ids,
      Call call) {
    RedisCommand command =
        on(SET_IDLE, stream, group, Optional.of(consumer))
            .arg(idle.millis)
            .arg(idle.uncounted)
            .args(ids);
    return call.send(lane, command, Replies::integer);
  }

  private Future<TransferResult> transfer(Transfer transfer, Call call) {
    List<String> streams = keys.data(List.of(transfer.source(), transfer.destination()));
    keys.requireOneSlot(transfer, streams);
    RedisCommand command =
        TRANSFER
            .on(streams)
            .arg(transfer.group())
            .arg(transfer.id())
            .arg(transfer.consumer().orElse(ANYBODY))
            .arg(transfer.maxLen().orElse(0));
    transfer.fields().forEach((name, value) -> command.arg(name).arg(value));
    return call.send(FAST, command, this::transferred);
  }

  private TransferResult transferred(Response reply) {
    List<Response> parts = Replies.list(reply);
    if (parts.isEmpty()) {
      return new TransferResult.NotPending();
    }
    counts.trimmedUnfinished(Replies.integer(parts.get(2)));
    return new TransferResult.Transferred(
        Replies.text(parts.get(0)), 1, Replies.integer(parts.get(1)));
  }

  private Future<PendingPage> pending(Pending pending, Call call) {
    return call.send(FAST, listing(pending), reply -> StreamReplies.pending(reply, pending.count()))
        .recover(failure -> whichIsMissing(pending, failure, call));
  }

  /** One row more than asked for tells where the next page begins. */
  private RedisCommand listing(Pending pending) {
    RedisCommand command =
        RedisCommand.of(Command.XPENDING)
            .arg(keys.data(pending.stream()))
            .arg(pending.group())
            .arg(pending.start())
            .arg("+")
            .arg(pending.count() + 1);
    return pending.consumer().isPresent() ? command.arg(pending.consumer().get()) : command;
  }

  private <R> Future<R> whichIsMissing(Pending pending, Throwable failure, Call call) {
    boolean missing =
        failure instanceof RuntimeStateException known && known.code() == FailureCode.NO_SUCH_GROUP;
    return missing ? call.orNoStream(keys.data(pending.stream()), failure) : call.failed(failure);
  }

  private RedisCommand removing(RemoveConsumer remove) {
    return REMOVE_CONSUMER
        .on(keys.data(remove.stream()))
        .arg(remove.group())
        .arg(remove.consumer())
        .arg(remove.discardPending() ? 1 : 0);
  }
}
