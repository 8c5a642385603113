package io.runtimestate.eventbus;

import io.runtimestate.spi.Callers;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the calls of one client that nobody will answer. The bus has a timer for each of its
 * requests; here one timer looks after all calls, and only while there are any. It runs on the loop
 * of a caller, which is the one to notice if another loop is stuck.
 */
final class CallWatch {
  private static final long TICK_MILLIS = 100;

  private final VertxInternal vertx;
  private final Set<RemoteCall<?>> pending;
  private final AtomicBoolean watching = new AtomicBoolean();
  private volatile long tick; // counts only while watching
  private volatile long timer;
  private volatile boolean closed;

  CallWatch(VertxInternal vertx, Set<RemoteCall<?>> pending) {
    this.vertx = vertx;
    this.pending = pending;
  }

  /** The first tick at which so many milliseconds are over. */
  long tickAfter(long millis) {
    return tick + 2 + (millis - 1) / TICK_MILLIS; // the next tick may come at once
  }

  /** Looks after the pending calls; to be called after adding one. */
  void start() {
    if (!watching.get() && watching.compareAndSet(false, true)) {
      arm();
    }
  }

  void close() {
    closed = true;
    vertx.cancelTimer(timer);
  }

  /** On a context of its own: the caller's may end with its verticle, or be a blocked worker's. */
  private void arm() {
    ContextInternal context =
        vertx.contextBuilder().withEventLoop(Callers.context(vertx).nettyEventLoop()).build();
    timer = context.setTimer(TICK_MILLIS, id -> tick());
    if (closed) { // maybe before the timer was there to be cancelled
      vertx.cancelTimer(timer);
    }
  }

  private void tick() {
    long now = tick + 1;
    tick = now;
    for (RemoteCall<?> call : pending) {
      if (call.isLost(now)) {
        call.abort(BusFailures.unanswered(call.type()));
      }
    }
    watching.set(false);
    if (!pending.isEmpty()) { // asked after saying so: a call that came before did not start it
      start();
    }
  }
}
