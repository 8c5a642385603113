package io.runtimestate;

import io.runtimestate.data.BackendKind;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it gets and never answers. */
public final class RecordingBackend implements StateBackend {
  /** The timeout of its description. */
  public static final long TIMEOUT_MILLIS = 1_234;

  private final Vertx vertx;
  private final List<Operation<?>> operations = new CopyOnWriteArrayList<>();
  private final List<Long> timeouts = new CopyOnWriteArrayList<>();
  private int closes;

  /** Records from now on. */
  public RecordingBackend(Vertx vertx) {
    this.vertx = vertx;
  }

  /** What came in since this was asked last. */
  public List<Operation<?>> taken() {
    List<Operation<?>> taken = List.copyOf(operations);
    operations.clear();
    return taken;
  }

  int count() {
    return operations.size();
  }

  /** The same after a call, once its first operation has come in. */
  public List<Operation<?>> taken(FacadeCall call) {
    if (call.isHelper()) {
      Await.until(() -> !operations.isEmpty(), "an operation");
    }
    return taken();
  }

  List<Long> timeouts() {
    return timeouts;
  }

  int closes() {
    return closes;
  }

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    operations.add(operation);
    timeouts.add(timeoutMillis);
    return Callers.<R>promise(vertx).future();
  }

  @Override
  public BackendDescription description() {
    return new BackendDescription(
        BackendKind.MEMORY, Optional.empty(), Optional.empty(), "rs", TIMEOUT_MILLIS);
  }

  @Override
  public long unixMillis() {
    return 7;
  }

  @Override
  public Map<String, Long> figures() {
    return Map.of();
  }

  @Override
  public Future<Void> close() {
    closes++;
    return Callers.succeeded(vertx, null);
  }
}
