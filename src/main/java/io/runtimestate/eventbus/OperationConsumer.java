package io.runtimestate.eventbus;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.Message;

/**
 * Serves one address. Whatever happens, the message is answered: a handler that throws would leave
 * the caller waiting for the bus timeout.
 */
final class OperationConsumer implements Handler<Message<Object>> {
  /** The header that carries the timeout of a call, in milliseconds; 0 is none. */
  static final String TIMEOUT = "timeout";

  private static final int MAX_DIGITS = 18;

  private final StateBackend door;
  private final OperationType type;

  OperationConsumer(StateBackend door, OperationType type) {
    this.door = door;
    this.type = type;
  }

  @Override
  public void handle(Message<Object> message) {
    if (message.body() instanceof PassedCall<?> call) {
      serve(call);
    } else {
      serveJson(message);
    }
  }

  private <R> void serve(PassedCall<R> call) {
    call.received();
    execute(call.operation(), call.timeoutMillis(), call);
  }

  private void serveJson(Message<Object> message) {
    JsonAnswer answer = new JsonAnswer(message, type);
    Operation<?> operation;
    long timeout;
    try {
      timeout = timeout(message);
      operation = OperationJson.of(type).readCall(message.body());
    } catch (Throwable refusal) {
      answer.fail(refusal, false);
      return;
    }
    execute(operation, timeout, answer);
  }

  private <R> void execute(
      Operation<R> operation, long timeoutMillis, Completable<? super R> answer) {
    try {
      Future<R> future = door.execute(operation, timeoutMillis);
      if (future.isComplete()) { // as calls of memory are, which need no listener
        answer.complete(future.result(), future.cause());
      } else {
        future.onComplete(answer);
      }
    } catch (Throwable defect) {
      answer.complete(null, defect);
    }
  }

  private long timeout(Message<Object> message) {
    String given = message.headers().get(TIMEOUT);
    if (given == null) {
      return door.description().commandTimeoutMillis();
    }
    if (given.isEmpty() || given.length() > MAX_DIGITS || !given.chars().allMatch(this::isDigit)) {
      throw new RuntimeStateException(
          FailureCode.INVALID_INPUT,
          type.name() + ": the header " + TIMEOUT + " must be whole milliseconds");
    }
    return Long.parseLong(given);
  }

  private boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }
}
