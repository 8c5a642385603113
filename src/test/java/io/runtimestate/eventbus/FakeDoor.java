package io.runtimestate.eventbus;

import io.runtimestate.data.BackendKind;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Records what it is asked; keeps values, answers everything else with a sample. */
final class FakeDoor implements StateBackend {
  static final long TIMEOUT_MILLIS = 1_234;
  static final long NOW = 1_700_000_000_000L;

  final List<Operation<?>> operations = new CopyOnWriteArrayList<>();
  final List<Long> timeouts = new CopyOnWriteArrayList<>();
  final Map<String, String> values = new ConcurrentHashMap<>();

  private final Vertx vertx;
  private volatile Function<Operation<?>, Future<?>> script = operation -> null;

  FakeDoor(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Where the script answers null, the door answers by itself. */
  FakeDoor script(Function<Operation<?>, Future<?>> script) {
    this.script = script;
    return this;
  }

  /** Fails every operation of a family. */
  FakeDoor failing(String family, Throwable failure) {
    return script(
        operation ->
            operation.name().startsWith(family + ".") ? Callers.failed(vertx, failure) : null);
  }

  /** Answers the operations of a family never. */
  FakeDoor silent(String family) {
    return script(
        operation -> operation.name().startsWith(family + ".") ? Promise.promise().future() : null);
  }

  Operation<?> last() {
    return operations.get(operations.size() - 1);
  }

  long lastTimeout() {
    return timeouts.get(timeouts.size() - 1);
  }

  @Override
  public BackendDescription description() {
    return new BackendDescription(
        BackendKind.REDIS, Optional.of("cluster"), Optional.of("7.4.1"), "rs", TIMEOUT_MILLIS);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    operations.add(operation);
    timeouts.add(timeoutMillis);
    Future<?> scripted = script.apply(operation);
    return scripted == null
        ? Callers.succeeded(vertx, (R) answer(operation))
        : (Future<R>) scripted;
  }

  private Object answer(Operation<?> operation) {
    if (operation instanceof KvOperation.Set set) {
      values.put(set.key(), set.value());
      return null;
    }
    if (operation instanceof KvOperation.Get get) {
      return Optional.ofNullable(values.get(get.key()));
    }
    if (operation instanceof SystemOperation.Info) {
      return description().info();
    }
    if (operation instanceof SystemOperation.Time) {
      return NOW;
    }
    return Samples.results(OperationCatalog.typeOf(operation).resultType()).get(0);
  }

  @Override
  public long unixMillis() {
    return NOW;
  }

  @Override
  public Map<String, Long> figures() {
    return Map.of();
  }

  @Override
  public Future<Void> close() {
    return Callers.succeeded(vertx, null);
  }
}
