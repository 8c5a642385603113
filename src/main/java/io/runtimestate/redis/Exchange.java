package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Completable;
import io.vertx.core.Promise;
import io.vertx.redis.client.Response;
import java.util.function.BiFunction;

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
  private final Promise<R> promise;
  private final long startedAt = System.nanoTime();
  private RedisCommand command;
  private LaneMeter meter;
  private Link link;
  private boolean settled;
  private boolean askFirst;
  private int retries;
  Exchange<?> before; // both belong to the Flight
  Exchange<?> after;

  Exchange(
      Call call, RedisCommand command, BiFunction<Response, Link, R> reader, Promise<R> promise) {
    this.call = call;
    this.command = command;
    this.reader = reader;
    this.promise = promise;
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

  /** The host of the server that it was sent to. */
  String serverHost() {
    return link.host();
  }

  /** It is to be sent again, since the answer proved that it did not run. */
  void again(RedisCommand next) {
    command = next;
    link = null;
    askFirst = false;
    retries++;
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
    if (!settled) {
      read(response);
    }
  }

  private void read(Response response) {
    R result;
    try {
      result = reader.apply(response, link);
    } catch (RuntimeStateException refused) {
      failWith(refused);
      return;
    } catch (RuntimeException malformed) {
      failWith(call.failure(FailureCode.UNEXPECTED_REPLY, "the reply is malformed", true));
      return;
    }
    settled = true;
    meter.succeeded(System.nanoTime() - startedAt);
    promise.complete(result);
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
      settled = true;
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
      settled = true;
      meter.timedOut(System.nanoTime() - startedAt);
      promise.fail(call.timedOut(link != null));
    }
  }
}
