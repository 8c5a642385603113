package io.runtimestate.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.BackendKind;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SettleCheckTest {
  private final Vertx vertx = Vertx.vertx();
  private final SettleCheck check = new SettleCheck(Duration.ofMillis(100));

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  void completedFuturesPass() {
    Await.get(call(() -> Callers.succeeded(vertx, null)));
    Await.get(
        call(
            () -> {
              Promise<Object> later = Callers.promise(vertx);
              vertx.setTimer(1, id -> later.complete());
              return later.future();
            }));
    assertThatCode(check::verify).doesNotThrowAnyException();
  }

  @Test
  void aFutureLeftOpenIsNamed() {
    call(() -> Callers.promise(vertx).future());
    assertThatThrownBy(check::verify).hasMessageContaining("kv.get never completed");
  }

  @Test
  void aFutureOfAnotherContextIsNamed() {
    Promise<Void> called = Promise.promise();
    vertx
        .getOrCreateContext()
        .runOnContext(
            here -> {
              call(() -> ((VertxInternal) vertx).createEventLoopContext().succeededFuture());
              called.complete();
            });
    Await.get(called.future());
    assertThatThrownBy(check::verify).hasMessageContaining("kv.get gave a future of context");
  }

  @Test
  void aFutureWithoutContextAndNoFutureAreNamed() {
    call(Future::succeededFuture);
    call(() -> null);
    assertThatThrownBy(check::verify)
        .hasMessageContaining("context null")
        .hasMessageContaining("no future");
  }

  @Test
  void aThrowIsNamed() {
    assertThatThrownBy(
            () ->
                call(
                    () -> {
                      throw new IllegalStateException("x");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(check::verify).hasMessageContaining("kv.get threw");
  }

  @Test
  void footprintSeesTimersAndAddresses() {
    Footprint before = Footprint.of(vertx, null);
    long timer = vertx.setTimer(60_000, id -> {});
    var consumer = vertx.eventBus().localConsumer("a", message -> {});
    assertThat(Footprint.of(vertx, null))
        .isEqualTo(new Footprint(before.timers() + 1, before.addresses() + 1, 0));
    vertx.cancelTimer(timer);
    Await.get(consumer.unregister());
    before.awaitReturn(vertx, null);
  }

  private Future<?> call(Supplier<Future<?>> answer) {
    return check.watch(new Answering(answer)).execute(new KvOperation.Get("k"), 0);
  }

  /** Answers every call as it is told. */
  private record Answering(Supplier<Future<?>> answer) implements StateBackend {
    @Override
    @SuppressWarnings("unchecked")
    public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
      return (Future<R>) answer.get();
    }

    @Override
    public BackendDescription description() {
      return new BackendDescription(
          BackendKind.MEMORY, Optional.empty(), Optional.empty(), "rs", NO_TIMEOUT);
    }

    @Override
    public long unixMillis() {
      return 0;
    }

    @Override
    public Map<String, Long> figures() {
      return Map.of();
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }
}
