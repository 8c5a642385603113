package io.runtimestate;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RuntimeStateOverTest {
  private final Vertx vertx = Vertx.vertx();
  private final RecordingBackend backend = new RecordingBackend(vertx);
  private final RuntimeState state = RuntimeState.over(vertx, backend);

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("C479 every facade method arrives as one operation, within the usual timeout")
  void facades_oneOperationEach() {
    assertThat(FacadeCall.all()).hasSizeGreaterThan(20);
    for (FacadeCall call : FacadeCall.all()) {
      Future<?> answer = call.on(state, call.usualArguments());
      assertThat(answer.isComplete()).as("%s", call).isFalse();
      assertThat(backend.taken(call)).as("%s", call).hasSize(1);
    }
    assertThat(backend.timeouts()).containsOnly(RecordingBackend.TIMEOUT_MILLIS);
  }

  @Test
  @DisplayName("C479 a ready operation arrives as it is, with its own timeout")
  void execute_asItIs() {
    Operation<Optional<String>> get = new KvOperation.Get("k");
    state.execute(get);
    state.execute(get, Duration.ofNanos(1));
    state.execute(get, null);
    assertThat(backend.taken()).hasSize(3).allSatisfy(got -> assertThat(got).isSameAs(get));
    assertThat(backend.timeouts()).containsExactly(RecordingBackend.TIMEOUT_MILLIS, 1L, 0L);
  }

  @Test
  @DisplayName("C479 close closes the backend once, and further calls fail CLOSED")
  void close_once() {
    List<Future<Void>> closes = List.of(state.close(), state.close());
    closes.forEach(Await::get);
    Await.get(state.close());
    assertThat(backend.closes()).isEqualTo(1);
    for (FacadeCall call : FacadeCall.all()) {
      Throwable failure = Await.failure(call.on(state, call.usualArguments()));
      assertThat(((RuntimeStateException) failure).code()).isEqualTo(FailureCode.CLOSED);
    }
    assertThat(backend.taken()).isEmpty();
  }

  @Test
  @DisplayName("13.1 the end of its Vertx closes the backend")
  void vertxClose_closes() {
    Await.get(vertx.close());
    assertThat(backend.closes()).isEqualTo(1);
    assertThat(state.close().succeeded()).isTrue(); // handlers find no thread any more
    assertThat(backend.closes()).isEqualTo(1);
  }

  @Test
  @DisplayName("0.2.3 a throw of the backend is a failed future, and no bad input")
  void throw_isInternal() {
    RuntimeState broken = RuntimeState.over(vertx, new ThrowingBackend(backend));
    Throwable failure = Await.failure(broken.kv().get("k"));
    assertThat(((RuntimeStateException) failure).code()).isEqualTo(FailureCode.INTERNAL);
    assertThat(Await.failure(broken.execute(new KvOperation.Get("k"), Duration.ofSeconds(1))))
        .isInstanceOf(RuntimeStateException.class);
  }

  @Test
  @DisplayName("12 what the backend says of itself is passed on")
  void description_passedOn() {
    assertThat(state.isMemory()).isTrue();
    assertThat(state.clock()).isEqualTo(7);
    assertThat(state.namespaceKey("k")).isEqualTo("rs:d:k");
  }
}
