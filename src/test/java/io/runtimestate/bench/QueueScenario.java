package io.runtimestate.bench;

import io.runtimestate.Queues;
import io.runtimestate.data.QueueEntry;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.redisson.api.RStream;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamReadGroupArgs;

/**
 * Ten entries appended, then as many read and acknowledged: that is one operation. Every stream is
 * kept at the same length, above all that can be in flight.
 */
final class QueueScenario extends RedisScenario {
  private static final String BY_HAND = "plain client, XADD each";
  private static final String GROUP = "workers";
  private static final String CONSUMER = "worker-1";
  private static final int BATCH = 10;
  private static final int LENGTH = 100_000;
  private static final String FIELD = "job";
  private static final List<Map<String, String>> ENTRIES =
      Collections.nCopies(BATCH, Map.of(FIELD, Stage.VALUE));

  @Override
  public String name() {
    return "redis-queue";
  }

  @Override
  public String title() {
    return "Redis: append, read and acknowledge ten entries";
  }

  @Override
  List<Peer> peers(RedisStage stage) throws Exception {
    return List.of(
        ours(stage, stage.state().queues()),
        new Plain(stage, "plain:queue").peer(),
        new Plain(stage, "plain:by-hand").peerByHand(),
        redisson(stage.redisson().getStream("redisson:queue")));
  }

  private static Peer ours(RedisStage stage, Queues queues) throws Exception {
    Stage.on(stage.caller, () -> queues.ensureGroup("queue", GROUP));
    return Peer.of(
        OURS,
        (n, slot) ->
            queues
                .appendAll("queue", ENTRIES, LENGTH)
                .compose(ids -> queues.read("queue", GROUP, CONSUMER, BATCH))
                .compose(entries -> queues.ack("queue", GROUP, ids(entries)))
                .onComplete(slot));
  }

  private static List<String> ids(List<QueueEntry> entries) {
    List<String> ids = new ArrayList<>(entries.size());
    entries.forEach(entry -> ids.add(entry.id()));
    return ids;
  }

  /** The plain client, with our scripts, and with a command for each entry. */
  private static final class Plain {
    private final RedisConnection connection;
    private final String stream;
    private final String append;
    private final String ack;

    Plain(RedisStage stage, String stream) throws Exception {
      this.connection = stage.plain();
      this.stream = stream;
      this.append = stage.script("stream", "queue_append");
      this.ack = stage.script("stream", "queue_ack");
      Request group = Request.cmd(Command.XGROUP, "CREATE", stream, GROUP, "0-0", "MKSTREAM");
      Stage.on(stage.caller, () -> connection.send(group));
    }

    Peer peer() {
      return Peer.of(
          PLAIN,
          (n, slot) ->
              connection
                  .send(appending())
                  .compose(ids -> connection.send(reading()))
                  .compose(read -> acknowledged(read, evalAck()))
                  .onComplete(slot));
    }

    Peer peerByHand() {
      return Peer.of(
          BY_HAND,
          (n, slot) ->
              appendEach()
                  .compose(ids -> connection.send(reading()))
                  .compose(
                      read -> acknowledged(read, Request.cmd(Command.XACK).arg(stream).arg(GROUP)))
                  .onComplete(slot));
    }

    private Request appending() {
      Request request = Request.cmd(Command.EVALSHA).arg(append).arg(1).arg(stream).arg(LENGTH);
      for (int i = 0; i < BATCH; i++) {
        request.arg(2).arg(FIELD).arg(Stage.VALUE);
      }
      return request;
    }

    private Future<?> appendEach() {
      List<Future<Response>> all = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCH; i++) {
        all.add(
            connection.send(
                Request.cmd(Command.XADD, stream, "MAXLEN", LENGTH, "*", FIELD, Stage.VALUE)));
      }
      return Future.all(all);
    }

    private Request reading() {
      return Request.cmd(
          Command.XREADGROUP, "GROUP", GROUP, CONSUMER, "COUNT", BATCH, "STREAMS", stream, ">");
    }

    private Request evalAck() {
      return Request.cmd(Command.EVALSHA).arg(ack).arg(1).arg(stream).arg(GROUP).arg("");
    }

    /** Makes of the entries what an application would. */
    private Future<Response> acknowledged(Response read, Request ack) {
      if (read == null) {
        return connection.send(Request.cmd(Command.PING));
      }
      for (Response entry : read.get(stream)) {
        ack.arg(entry.get(0).toString());
        Map<String, String> fields = new HashMap<>();
        Response texts = entry.get(1);
        for (int i = 0; i < texts.size(); i += 2) {
          fields.put(texts.get(i).toString(), texts.get(i + 1).toString());
        }
      }
      return connection.send(ack);
    }
  }

  private static Peer redisson(RStream<String, String> stream) {
    stream.createGroup(StreamCreateGroupArgs.name(GROUP).id(StreamMessageId.ALL).makeStream());
    return Peer.elsewhere(
        REDISSON,
        (n, slot) ->
            added(stream)
                .thenCompose(
                    ids ->
                        stream.readGroupAsync(
                            GROUP, CONSUMER, StreamReadGroupArgs.neverDelivered().count(BATCH)))
                .thenCompose(entries -> acknowledged(stream, entries))
                .whenComplete(slot));
  }

  private static CompletableFuture<Void> added(RStream<String, String> stream) {
    return CompletableFuture.allOf(
        Stream.generate(() -> added(stream, StreamAddArgs.entry(FIELD, Stage.VALUE)))
            .limit(BATCH)
            .toArray(CompletableFuture<?>[]::new));
  }

  private static CompletableFuture<StreamMessageId> added(
      RStream<String, String> stream, StreamAddArgs<String, String> entry) {
    return stream.addAsync(entry.trim().maxLen(LENGTH).noLimit()).toCompletableFuture();
  }

  private static CompletionStage<Long> acknowledged(
      RStream<String, String> stream, Map<StreamMessageId, Map<String, String>> entries) {
    return entries.isEmpty()
        ? CompletableFuture.completedFuture(0L)
        : stream.ackAsync(GROUP, entries.keySet().toArray(StreamMessageId[]::new));
  }
}
