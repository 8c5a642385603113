package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.QueueOperation.Read;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One call on its way through all its round trips: the one absolute deadline, the context its
 * futures belong to, and what its failures say.
 */
final class Call {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final String name;
  private final boolean write;
  private final long startedAt = System.nanoTime();
  private final long deadline; // the same as the start if there is none
  private final ContextInternal caller;
  private final Servers servers;
  private final PendingCalls pending;
  private boolean begun;
  private boolean countsItself;
  private boolean counted;

  /**
   * @param name of the operation
   * @param timeoutMillis from now; 0 for none
   * @param pending where it has been counted
   */
  Call(
      String name,
      boolean write,
      long timeoutMillis,
      ContextInternal caller,
      Servers servers,
      PendingCalls pending) {
    this.name = name;
    this.write = write;
    this.deadline = startedAt + timeoutMillis * NANOS_PER_MILLI;
    this.caller = caller;
    this.servers = servers;
    this.pending = pending;
  }

  String name() {
    return name;
  }

  boolean isWrite() {
    return write;
  }

  ContextInternal caller() {
    return caller;
  }

  /** See {@link Servers#shards}. */
  List<Integer> shards() {
    return servers.shards();
  }

  /** See {@link Servers#haveSlots}. */
  boolean hasSlots() {
    return servers.haveSlots();
  }

  /**
   * Whether nobody has asked yet: the first round trip begins with the call itself, in the same
   * turn, and need not look at the clock, which costs as much as all other bookkeeping.
   */
  boolean begins() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** When it was made, in the time of {@link System#nanoTime}. */
  long startedAt() {
    return startedAt;
  }

  /** One round trip. */
  <R> Future<R> send(LaneKind kind, RedisCommand command, Function<Response, R> reader) {
    return sendReading(kind, command, (response, link) -> reader.apply(response));
  }

  /**
   * The only round trip of the call, which ends with it. It is counted out where its promise is
   * kept: a listener for it alone would cost as much as the promise.
   */
  <R> Future<R> sendOnly(
      LaneKind kind, RedisCommand command, BiFunction<Response, Link, R> reader) {
    Promise<R> promise = caller.promise();
    submitOnly(kind, command, new Exchange<>(this, command, reader, promise));
    return promise.future();
  }

  /** The same with a reader that looks at the reply only. */
  <R> Future<R> sendOnly(LaneKind kind, RedisCommand command, Function<Response, R> reader) {
    return sendOnly(kind, command, (response, link) -> reader.apply(response));
  }

  private void submitOnly(LaneKind kind, RedisCommand command, Exchange<?> exchange) {
    Lane lane = servers.of(command).of(kind, this);
    countsItself = true;
    lane.submit(exchange);
  }

  /** Whether nobody else has to count it out. */
  boolean countsItself() {
    return countsItself;
  }

  /** It has ended, as far as nobody else counts it out. */
  void ended() {
    if (countsItself && !counted) {
      counted = true;
      pending.finished();
    }
  }

  /** The same with a command that may travel with others; its answer is one line. */
  <R> Future<R> sendJointly(LaneKind kind, RedisCommand command, Function<String, R> reader) {
    Promise<R> promise = caller.promise();
    submitOnly(kind, command, Exchange.jointly(this, command, reader, promise));
    return promise.future();
  }

  /** One round trip whose reader also looks at the connection that answered. */
  <R> Future<R> sendReading(
      LaneKind kind, RedisCommand command, BiFunction<Response, Link, R> reader) {
    Promise<R> promise = caller.promise();
    servers.of(command).of(kind, this).submit(new Exchange<>(this, command, reader, promise));
    return promise.future();
  }

  /**
   * A read that may wait for an entry.
   *
   * @param command the read that waits so many milliseconds on the server, 0 for not at all
   */
  Future<List<QueueEntry>> block(Read read, BiFunction<Read, Long, RedisCommand> command) {
    begins(); // it is sent when a connection is free for it
    return servers.of(command.apply(read, 0L)).blocking().read(read, this, command);
  }

  /** A result that is there already. */
  <R> Future<R> done(R result) {
    return caller.succeededFuture(result);
  }

  /** A failure that is there already. */
  <R> Future<R> failed(Throwable failure) {
    return caller.failedFuture(failure);
  }

  /** The same failure, or that there is no such stream if the key does not exist. */
  <R> Future<R> orNoStream(String key, Throwable failure) {
    RuntimeStateException noStream =
        failure(FailureCode.NO_SUCH_STREAM, "the stream does not exist", false);
    return send(LaneKind.FAST, RedisCommand.of(Command.EXISTS).arg(key), Replies::flag)
        .otherwise(true)
        .compose(exists -> caller.failedFuture(exists ? failure : noStream));
  }

  <R> Promise<R> promise() {
    return caller.promise();
  }

  /** An answer without a round trip. */
  <R> Future<R> answer(R result) {
    Promise<R> promise = caller.promise();
    soon(() -> promise.complete(result));
    return promise.future();
  }

  /** A failure without a round trip. */
  <R> Future<R> fail(FailureCode code, String reason) {
    Promise<R> promise = caller.promise();
    soon(() -> promise.fail(failure(code, reason, false)));
    return promise.future();
  }

  /**
   * Runs a task on the caller's context, never inside the call: a caller whose handlers make the
   * next call must not grow its stack, however many of them are answered at once.
   */
  void soon(Runnable task) {
    caller.runOnContext(now -> task.run());
  }

  boolean isOverdue(long now) {
    return isOverdueBy(0, now);
  }

  /** Whether the deadline passed so many milliseconds ago. */
  boolean isOverdueBy(long millis, long now) {
    return deadline != startedAt && now - deadline >= millis * NANOS_PER_MILLI;
  }

  RuntimeStateException timedOut(boolean sent) {
    long timeoutMillis = (deadline - startedAt) / NANOS_PER_MILLI;
    String reason = "timed out after " + timeoutMillis + " ms" + (sent ? "" : ", not sent");
    return failure(FailureCode.TIMED_OUT, reason, sent);
  }

  /**
   * @param mayHaveRun whether the server may have carried it out; matters to writes only
   */
  RuntimeStateException failure(FailureCode code, String reason, boolean mayHaveRun) {
    return new RuntimeStateException(code, name + ": " + reason, write && mayHaveRun, null);
  }

  /** The same failure; of a write, part of which was carried out if {@code partly}. */
  RuntimeStateException flagged(Throwable failure, boolean partly) {
    RuntimeStateException known =
        failure instanceof RuntimeStateException ours ? ours : internal(failure);
    return write && partly && !known.mayHaveBeenApplied()
        ? new RuntimeStateException(known.code(), known.getMessage(), true, known)
        : known;
  }

  RuntimeStateException internal(Throwable defect) {
    return new RuntimeStateException(
        FailureCode.INTERNAL, name + ": " + defect.getClass().getSimpleName(), false, defect);
  }
}
