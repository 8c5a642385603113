package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.operation.QueueOperation.Read;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.BiFunction;

/** A read that may wait: for a lane first, then on it. Confined to the loop of the lanes. */
final class BlockedRead {
  private static final long NANOS_PER_MILLI = 1_000_000;

  final Read read;
  final Call call;
  final Promise<List<QueueEntry>> promise;
  private final BiFunction<Read, Long, RedisCommand> command;
  private final long endsAt;
  private Exchange<List<QueueEntry>> exchange;

  /**
   * @param command the read that waits so many milliseconds on the server
   */
  BlockedRead(
      Read read,
      Call call,
      BiFunction<Read, Long, RedisCommand> command,
      Promise<List<QueueEntry>> promise) {
    this.read = read;
    this.call = call;
    this.command = command;
    this.promise = promise;
    this.endsAt = System.nanoTime() + read.block().orElseThrow().toMillis() * NANOS_PER_MILLI;
  }

  /** Whether it has waited for as long as it wanted to. */
  boolean isOver(long now) {
    return now - endsAt >= 0;
  }

  /** Sends it: from now on the server waits, for the rest of the time. */
  void sendOn(Link link, LaneMeter meter, long now) {
    long left = Math.max(1, (endsAt - now + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    exchange =
        new Exchange<>(
            call,
            command.apply(read, left),
            (response, from) -> StreamReplies.read(response),
            promise);
    exchange.meterWith(meter);
    meter.pending(1);
    link.send(exchange);
  }

  /** It was refused, and has not been sent. */
  void waitAgain() {
    exchange = null;
  }

  boolean isOf(Exchange<?> other) {
    return exchange == other;
  }

  /** The form that does not wait. */
  RedisCommand immediate() {
    return command.apply(read, 0L);
  }

  void timeOut() {
    if (exchange == null) {
      promise.fail(call.timedOut(false));
    } else {
      exchange.timeOut();
    }
  }

  void fail(FailureCode code, String reason) {
    promise.fail(call.failure(code, reason, false));
  }

  /** Nobody wants the answer any more: there is nothing. */
  void end() {
    if (exchange == null) {
      promise.complete(List.of());
    } else {
      exchange.answer(null);
    }
  }
}
