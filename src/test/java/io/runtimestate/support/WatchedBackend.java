package io.runtimestate.support;

import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.function.Supplier;

/** Shows every call to a {@link SettleCheck}. */
record WatchedBackend(StateBackend inner, Supplier<Future<Void>> closing, SettleCheck check)
    implements StateBackend {

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    WatchedCall call = new WatchedCall(operation.name(), Vertx.currentContext(), check);
    try {
      Future<R> future = inner.execute(operation, timeoutMillis);
      call.watch(future);
      return future;
    } catch (RuntimeException thrown) {
      check.violation(operation.name() + " threw " + thrown);
      throw thrown;
    }
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
    return closing.get();
  }
}
