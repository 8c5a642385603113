package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Completable;
import io.vertx.core.Promise;
import io.vertx.redis.client.Response;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One round trip of a call: its command, its place in a lane, and the promise that is kept once.
 *
 * <p>It can be <em>settled</em> (its promise is kept) long before it is <em>answered</em> (its
 * reply was read, or its connection is gone): a timed-out command keeps its place in the
 * connection. Apart from being made, it is touched by its lane's event loop only.
 */
final class Exchange<R> implements Completable<Response> {
  final Call call;
  private final BiFunction<Response, Link, R> reader;
  private final Function<String, R> lineReader;
  private final Promise<R> promise;
  private final boolean first;
  private final long startedAt;
  private RedisCommand command;
  private LaneMeter meter;
  private Link link;
  private boolean settled;
  private boolean askFirst;
  private boolean joined;
  private boolean alone;
  private int retries;
  private String refusal; // that passes with time
  Exchange<?> before; // both belong to the Flight
  Exchange<?> after;

  Exchange(
      Call call, RedisCommand command, BiFunction<Response, Link, R> reader, Promise<R> promise) {
    this(call, command, reader, null, promise);
  }

  private Exchange(
      Call call,
      RedisCommand command,
      BiFunction<Response, Link, R> reader,
      Function<String, R> lineReader,
      Promise<R> promise) {
    this.call = call;
    this.command = command;
    this.reader = reader;
    this.lineReader = lineReader;
    this.promise = promise;
    this.first = call.begins();
    this.startedAt = first ? call.startedAt() : System.nanoTime();
  }

  /** One that may travel with others: its answer is a line of a text. */
  static <R> Exchange<R> jointly(
      Call call, RedisCommand command, Function<String, R> reader, Promise<R> promise) {
    return new Exchange<>(
        call, command, (reply, link) -> reader.apply(Replies.text(reply)), reader, promise);
  }

  /** Whether its call began with it. */
  boolean isFirst() {
    return first;
  }

  RedisCommand command() {
    return command;
  }

  boolean isSettled() {
    return settled;
  }

  /** Counts what becomes of it. */
  void meterWith(LaneMeter laneMeter) {
    meter = laneMeter;
  }

  /** From here on the server may carry it out. */
  void sentOn(Link where) {
    link = where;
    meter.sent();
  }

  @Override
  public void complete(Response response, Throwable failure) {
    link.answered(this, response, failure);
  }

  /** Whether a command may carry it together with others. */
  boolean canJoin() {
    return command.joint() != null && !alone && !askFirst;
  }

  /** Its command carries others as well. */
  void joined() {
    joined = true;
  }

  /** Whether its command carried others as well. */
  boolean wasJoined() {
    return joined;
  }

  /** From now on no command carries it together with others. */
  void sendAlone() {
    alone = true;
  }

  /** The host of the server that it was sent to. */
  String serverHost() {
    return link.host();
  }

  /** It is to be sent again, since the answer proved that it did not run. */
  void again(RedisCommand next) {
    command = next;
    link = null;
    askFirst = false;
    joined = false;
    retries++;
  }

  /** Why it has to be tried again, for the case that its time ends before that. */
  void refusedFor(String error) {
    refusal = error;
  }

  /** The server it goes to has the slot on loan and wants to be asked for it. */
  void askFirst() {
    askFirst = true;
  }

  boolean asksFirst() {
    return askFirst;
  }

  int retries() {
    return retries;
  }

  void answer(Response response) {
    read(response, null);
  }

  /** The same of one that travelled with others. */
  void answerLine(String line) {
    read(null, line);
  }

  private void read(Response response, String line) {
    if (settled) {
      return;
    }
    R result;
    try {
      result = line == null ? reader.apply(response, link) : lineReader.apply(line);
    } catch (RuntimeStateException refused) {
      failWith(refused);
      return;
    } catch (RuntimeException malformed) {
      failWith(call.failure(FailureCode.UNEXPECTED_REPLY, "the reply is malformed", true));
      return;
    }
    settle();
    meter.succeeded(System.nanoTime() - startedAt);
    promise.complete(result);
  }

  private void settle() {
    settled = true;
    call.ended();
  }

  /** Fails it before it was sent, from any thread. */
  void failSoon(FailureCode code, String reason) {
    call.soon(() -> failWith(code, reason));
  }

  /** Fails it with what may have been applied if it was sent. */
  void failWith(FailureCode code, String reason) {
    failWith(call.failure(code, reason, link != null));
  }

  void failWith(RuntimeStateException failure) {
    if (!settled) {
      settle();
      meter.failed(System.nanoTime() - startedAt);
      promise.fail(failure);
    }
  }

  /** Ends the caller's wait if its time is over. */
  void timeOutIfOverdue(long now) {
    if (call.isOverdue(now)) {
      timeOut();
    }
  }

  /** Ends the caller's wait; the command keeps its place. */
  void timeOut() {
    if (!settled) {
      settle();
      meter.timedOut(System.nanoTime() - startedAt);
      promise.fail(call.timedOut(link != null));
    }
  }

  /** The same before it was sent, or between two tries: the server's reason says more. */
  void timeOutUnsent() {
    if (refusal == null) {
      timeOut();
    } else {
      failWith(ServerErrors.translate(call, refusal));
    }
  }
}
