package io.runtimestate;

import io.runtimestate.operation.Operation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import java.util.Map;

/** A backend that breaks its duty never to throw. */
record ThrowingBackend(StateBackend inner) implements StateBackend {

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    throw new IllegalStateException("broken");
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
  public Future<Void> close() {
    return inner.close();
  }
}
