package io.runtimestate.redis;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;

/** What tests of the Redis backend share: a Vertx, backends that are closed, short operations. */
public abstract class RedisTest {
  private static final Duration CLOSE = Duration.ofSeconds(10);
  private static final Duration OPEN = Duration.ofSeconds(15);

  protected final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final List<Future<StateBackend>> opened = new ArrayList<>();

  @AfterEach
  void closeAll() {
    opened.stream()
        .filter(Future::succeeded)
        .forEach(backend -> Await.within(CLOSE, backend.result().close()));
    Await.within(CLOSE, vertx.close());
  }

  /** Options with the test's class as prefix. */
  protected RuntimeStateOptions options(String url) {
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setKeyPrefix(getClass().getSimpleName())
            .setCloseTimeout(Duration.ofMillis(200));
    options.getRedis().setUrl(url);
    return options;
  }

  protected Future<StateBackend> opening(RuntimeStateOptions options) {
    Future<StateBackend> backend = RedisBackend.open(vertx, options);
    opened.add(backend);
    return backend;
  }

  /** Opens, however busy the machine is; {@link #opening} is for tests of opening itself. */
  protected StateBackend open(RuntimeStateOptions options) {
    if (options.getRedis().getOpenTimeout() == null) {
      options.getRedis().setOpenTimeout(OPEN);
    }
    return Await.get(opening(options));
  }

  protected StateBackend open(String url) {
    return open(options(url));
  }

  /**
   * Runs something on an event loop, always the same one of this test, and waits for its result.
   */
  protected <T> T onLoop(Callable<T> task) {
    Future<T> result =
        Future.future(
            promise ->
                loop.runOnContext(
                    now -> {
                      try {
                        promise.complete(task.call());
                      } catch (Exception failure) {
                        promise.fail(failure);
                      }
                    }));
    return Await.get(result);
  }

  protected static RuntimeStateException failure(Future<?> future) {
    return (RuntimeStateException) Await.failure(future);
  }

  protected static <R> R run(StateBackend backend, Operation<R> operation) {
    return Await.get(backend.execute(operation));
  }

  protected static KvOperation.Set set(String key, String value) {
    return new KvOperation.Set(key, value, Optional.empty(), false);
  }

  protected static KvOperation.Set set(String key, String value, Duration ttl) {
    return new KvOperation.Set(key, value, Optional.of(ttl), false);
  }

  protected static KvOperation.Get get(String key) {
    return new KvOperation.Get(key);
  }

  protected static KvOperation.Increment increment(String key) {
    return new KvOperation.Increment(key, 1, Optional.empty());
  }

  protected static KvOperation.CompareAndSet compareAndSet(
      String key, String expected, String value) {
    return new KvOperation.CompareAndSet(key, Optional.of(expected), value, Optional.empty());
  }
}
