package io.runtimestate.redis;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.ClockEstimate;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.ReleaseNotices;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The door to a Redis or Valkey server.
 *
 * <p>Closing: calls are refused at once; those in flight get the close timeout, then fail; then
 * connections and timers go. None of it waits for the server, so it also ends when the server does
 * not answer.
 */
public final class RedisBackend implements StateBackend {
  private static final long CONNECTIONS_CLOSE_MILLIS = 500;
  private static final long BLOCK_GRACE_MILLIS = 1_000;

  private final Vertx vertx;
  private final Loop loop;
  private final BackendDescription description;
  private final long closeTimeoutMillis;
  private final Commands commands;
  private final Servers servers;
  private final StreamCounts streamCounts;
  private final ReleaseChannel channel;
  private final ConnectionListeners listeners;
  private final ClockEstimate clock;
  private final PendingCalls pending = new PendingCalls();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Promise<Void> closed = Promise.promise();

  RedisBackend(
      ContextInternal opener,
      BackendDescription description,
      long closeTimeoutMillis,
      Commands commands,
      Servers servers,
      StreamCounts streamCounts,
      ReleaseChannel channel,
      ConnectionListeners listeners) {
    this.vertx = opener.owner();
    this.loop = Loop.of(opener);
    this.description = description;
    this.closeTimeoutMillis = closeTimeoutMillis;
    this.commands = commands;
    this.servers = servers;
    this.streamCounts = streamCounts;
    this.channel = channel;
    this.listeners = listeners;
    this.clock = new ClockEstimate(vertx, () -> execute(new SystemOperation.Time()));
  }

  /**
   * Connects to the server of the options, which are copied and checked. The backend ends with
   * nothing but {@link #close}: who holds it has things to give back before.
   *
   * @return fails INVALID_CONFIGURATION (options, server version, credentials, permissions),
   *     UNAVAILABLE, TIMED_OUT or UNEXPECTED_REPLY, and leaves nothing behind then
   */
  public static Future<StateBackend> open(Vertx vertx, RuntimeStateOptions options) {
    ContextInternal opener = Callers.context(vertx);
    try {
      return new Opening(opener, new RuntimeStateOptions(options).validate()).run();
    } catch (RuntimeStateException invalid) {
      return opener.failedFuture(invalid);
    }
  }

  /** Takes the first sample of the server's clock. */
  Future<Void> start() {
    return clock.start();
  }

  @Override
  public BackendDescription description() {
    return description;
  }

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    ContextInternal caller = Callers.context(vertx);
    OperationType type = OperationCatalog.typeOf(operation);
    Call call =
        new Call(
            type.name(),
            type.kind().isWrite(),
            timeoutOf(operation, timeoutMillis),
            caller,
            servers,
            pending);
    pending.started();
    Future<R> result =
        closing.get()
            ? caller.failedFuture(call.failure(FailureCode.CLOSED, "closed", false))
            : commands.run(operation, call);
    return call.countsItself() ? result : result.onComplete(pending);
  }

  /** A read that waits is overdue only when the server should have ended it. */
  static long timeoutOf(Operation<?> operation, long timeoutMillis) {
    return operation instanceof QueueOperation.Read read
            && read.block().isPresent()
            && timeoutMillis != NO_TIMEOUT
        ? Math.max(timeoutMillis, read.block().get().toMillis() + BLOCK_GRACE_MILLIS)
        : timeoutMillis;
  }

  @Override
  public void endRead(QueueOperation.Read read) {
    servers.endRead(read);
  }

  @Override
  public long unixMillis() {
    return clock.unixMillis();
  }

  @Override
  public Map<String, Long> figures() {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put(Figures.PENDING, pending.count());
    figures.put(Figures.BLOCKED_READS, (long) servers.kinds().blockedReads().get());
    figures.put(Figures.TRIMMED_UNFINISHED, streamCounts.trimmedUnfinished());
    servers.kinds().addTo(figures);
    channel.addTo(figures);
    return figures;
  }

  @Override
  public ReleaseNotices releaseNotices() {
    return channel;
  }

  @Override
  public void connectionHandler(Handler<ConnectionEvent> handler) {
    listeners.add(Callers.context(vertx), handler);
  }

  @Override
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      clock.close();
      within(CONNECTIONS_CLOSE_MILLIS, Future.join(servers.closeBlocking(), channel.close()))
          .compose(ended -> within(closeTimeoutMillis, pending.drained()))
          .compose(drained -> within(CONNECTIONS_CLOSE_MILLIS, servers.close()))
          .onComplete(done -> closed.complete());
    }
    Promise<Void> done = Callers.promise(vertx);
    closed.future().onComplete(done);
    return done.future();
  }

  /** Completes with the other, but no later. */
  private Future<Void> within(long millis, Future<?> other) {
    Promise<Void> either = Promise.promise();
    Runnable cancelTimer = loop.later(Math.max(1, millis), either::tryComplete);
    other.onComplete(
        done -> {
          cancelTimer.run();
          either.tryComplete();
        });
    return either.future();
  }
}
