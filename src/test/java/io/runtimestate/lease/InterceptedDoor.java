package io.runtimestate.lease;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.memory.MemoryBackend;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.ReleaseNotices;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.spi.TimeSource;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A store whose answers a test can replace, and that remembers what it was asked. */
final class InterceptedDoor implements StateBackend {
  private final StateBackend store;
  private final List<Operation<?>> asked = new CopyOnWriteArrayList<>();
  private volatile Function<Operation<?>, Future<?>> script = operation -> null;

  InterceptedDoor(Vertx vertx) {
    this(Await.get(MemoryBackend.open(vertx, new RuntimeStateOptions(), TimeSource.SYSTEM)));
  }

  InterceptedDoor(StateBackend store) {
    this.store = store;
  }

  /** Where the script answers null, the store does. */
  void script(Function<Operation<?>, Future<?>> answers) {
    script = answers;
  }

  long asked(Class<?> type) {
    return asked.stream().filter(type::isInstance).count();
  }

  StateBackend store() {
    return store;
  }

  @Override
  @SuppressWarnings("unchecked") // scripts answer with the result type of the operation
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    asked.add(operation);
    Future<?> scripted = script.apply(operation);
    return scripted == null ? store.execute(operation, timeoutMillis) : (Future<R>) scripted;
  }

  @Override
  public BackendDescription description() {
    return store.description();
  }

  @Override
  public long unixMillis() {
    return store.unixMillis();
  }

  @Override
  public Map<String, Long> figures() {
    return store.figures();
  }

  @Override
  public ReleaseNotices releaseNotices() {
    return store.releaseNotices();
  }

  @Override
  public Future<Void> close() {
    return store.close();
  }
}
