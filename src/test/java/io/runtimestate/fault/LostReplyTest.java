package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A bus that loses the replies to acquisitions. */
class LostReplyTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private RuntimeState server;
  private RuntimeState client;
  private volatile boolean losing;

  @BeforeEach
  void open() {
    RuntimeStateOptions options = new RuntimeStateOptions();
    options.getEventBus().setExpose(true).setBase("real");
    server = get(RuntimeState.open(vertx, options));
    OperationCatalog.all().forEach(this::relay);
    client = get(RuntimeState.connect(vertx, "lossy"));
  }

  @AfterEach
  void close() {
    get(client.close());
    get(server.close());
    get(vertx.close());
  }

  private void relay(OperationType type) {
    vertx
        .eventBus()
        .consumer(
            "lossy." + type.name(),
            message ->
                vertx
                    .eventBus()
                    .request("real." + type.name(), message.body())
                    .onSuccess(reply -> reply(type, message, reply.body())));
  }

  private void reply(OperationType type, Message<?> message, Object body) {
    if (!losing || !type.name().endsWith("tryAcquire")) {
      message.reply(body);
    }
  }

  private void assertTimesOut(Operation<?> operation) {
    losing = true;
    RuntimeStateException failure =
        (RuntimeStateException) Await.failure(client.execute(operation, Duration.ofMillis(100)));
    losing = false;
    assertThat(failure.code()).isEqualTo(FailureCode.TIMED_OUT);
    assertThat(failure.mayHaveBeenApplied()).isTrue();
  }

  @Test
  @DisplayName("C464 O07 a client releases what an acquisition got whose reply was lost")
  void client_releases() {
    assertTimesOut(new LockOperation.TryAcquire("l", "o", LONG));
    Await.until(() -> get(server.locks().holder("l")).isEmpty(), "the lock is free");
    assertTimesOut(new SemaphoreOperation.TryAcquire("g", Optional.empty(), 1, LONG));
    Await.until(
        () -> get(server.semaphores().snapshot("g", null, 1)).inFlight() == 0,
        "the permit is back");
  }
}
