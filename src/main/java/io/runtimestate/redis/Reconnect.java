package io.runtimestate.redis;

import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * Gets one logical connection connected, and connected again. Confined to its event loop.
 *
 * <p>One attempt runs at a time. Pauses between attempts grow until a command succeeds: a
 * connection that is accepted proves nothing, and a server that accepts and refuses would be called
 * without pause. After a refused write (the server has become a replica) only a write proves
 * something; the old connection goes on serving reads while a better one is looked for.
 */
final class Reconnect {
  private final Loop loop;
  private final Connector connector;
  private final LaneKind kind;
  private final Consumer<Link> connected;
  private final Runnable notConnected;
  private final Backoff backoff = new Backoff();
  private Attempt attempt;
  private Runnable cancelPause;
  private boolean proven = true;
  private boolean demoted;
  private boolean failed;
  private boolean closed;

  Reconnect(
      Loop loop,
      Connector connector,
      LaneKind kind,
      Consumer<Link> connected,
      Runnable notConnected) {
    this.loop = loop;
    this.connector = connector;
    this.kind = kind;
    this.connected = connected;
    this.notConnected = notConnected;
  }

  /** Whether the last that was heard is a loss or a failed attempt. */
  boolean hasFailed() {
    return failed;
  }

  /** One attempt whose failure starts no further one. */
  Future<Link> once(long timeoutMillis) {
    attempt = connector.connect(loop, kind, timeoutMillis);
    return attempt.link().onComplete(done -> attempt = null).onSuccess(this::up);
  }

  /** An attempt at once, unless one runs or is due after a pause. */
  void start() {
    if (attempt == null && cancelPause == null && !closed) {
      attempt = connector.connect(loop, kind, Connector.ATTEMPT_MILLIS);
      attempt.link().onComplete(this::arrived, this::missed);
    }
  }

  /** The connection is gone. */
  void lost() {
    failed = true;
    afterPause(0);
  }

  /** The server takes no writes any more. */
  void demoted() {
    demoted = true;
    afterPause(0);
  }

  /** A command was carried out. */
  void succeeded(boolean write) {
    if (!proven && (write || !demoted)) {
      proven = true;
      demoted = false;
      backoff.reset();
    }
  }

  Future<Void> close() {
    closed = true;
    if (cancelPause != null) {
      cancelPause.run();
    }
    return attempt == null ? loop.done() : attempt.abandon();
  }

  /** Pauses count from the start of the attempt before: a slow failure has paused already. */
  private void afterPause(long sinceAttemptMillis) {
    proven = false;
    if (attempt == null && cancelPause == null && !closed) {
      long pause = Math.max(1, backoff.nextMillis() - sinceAttemptMillis);
      cancelPause = loop.later(pause, this::afterThisPause);
    }
  }

  private void afterThisPause() {
    cancelPause = null;
    start();
  }

  private void arrived(Link link) {
    attempt = null;
    up(link);
  }

  private void up(Link link) {
    failed = false;
    if (closed) {
      link.close();
    } else {
      connected.accept(link);
    }
  }

  private void missed(Throwable reason) {
    long took = attempt.ageMillis();
    attempt = null;
    failed = true;
    notConnected.run();
    afterPause(took);
  }
}
