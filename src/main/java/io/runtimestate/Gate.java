package io.runtimestate;

import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.util.Map;

/** The outermost door: once shut, calls fail CLOSED while what is behind it winds down. */
final class Gate implements StateBackend {
  private final Vertx vertx;
  private final StateBackend inner;
  private final long timeoutMillis;
  private volatile boolean shut;

  Gate(Vertx vertx, StateBackend inner) {
    this.vertx = vertx;
    this.inner = inner;
    this.timeoutMillis = inner.description().commandTimeoutMillis();
  }

  void shut() {
    shut = true;
  }

  /** Asks nobody for the timeout, which stays the same while the backend is open. */
  @Override
  public <R> Future<R> execute(Operation<R> operation) {
    return execute(operation, timeoutMillis);
  }

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    return shut
        ? Callers.failed(
            vertx,
            new RuntimeStateException(
                FailureCode.CLOSED, operation.name() + ": the runtime is closed"))
        : inner.execute(operation, timeoutMillis);
  }

  @Override
  public void endRead(QueueOperation.Read read) {
    inner.endRead(read);
  }

  @Override
  public BackendDescription description() {
    return inner.description();
  }

  @Override
  public long unixMillis() {
    return inner.unixMillis();
  }

  @Override
  public Map<String, Long> figures() {
    return inner.figures();
  }

  @Override
  public void connectionHandler(Handler<ConnectionEvent> handler) {
    inner.connectionHandler(handler);
  }

  @Override
  public Future<Void> close() {
    shut();
    return inner.close();
  }
}
