package io.runtimestate.eventbus;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.Message;

/**
 * Serves one address and answers a message in the form it came in. Whatever happens, the message is
 * answered: a handler that throws would leave the caller waiting for the bus timeout.
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
    if (message.body() instanceof RemoteCall<?> call) {
      execute(message, call, call.operation(), call.timeoutMillis());
    } else {
      handleJson(message);
    }
  }

  private void handleJson(Message<Object> message) {
    Operation<?> operation;
    long timeout;
    try {
      timeout = timeout(message);
      operation = OperationJson.of(type).readCall(message.body());
    } catch (Throwable refusal) {
      fail(message, refusal, false);
      return;
    }
    execute(message, null, operation, timeout);
  }

  private void execute(
      Message<Object> message, RemoteCall<?> call, Operation<?> operation, long timeoutMillis) {
    try {
      Future<?> answer = door.execute(operation, timeoutMillis);
      if (answer.isComplete()) { // most are in memory, and need no listener
        answer(message, call, answer.result(), answer.cause());
      } else {
        answer.onComplete((result, failure) -> answer(message, call, result, failure));
      }
    } catch (Throwable defect) {
      fail(message, defect, true);
    }
  }

  private void answer(
      Message<Object> message, RemoteCall<?> call, Object result, Throwable failure) {
    if (failure != null) {
      fail(message, failure, true);
    } else if (call != null) {
      message.reply(call.bringing(result), ByReference.reply());
    } else {
      replyJson(message, result);
    }
  }

  private void replyJson(Message<Object> message, Object result) {
    try {
      message.reply(OperationJson.of(type).writeReply(result));
    } catch (RuntimeException defect) {
      fail(message, defect, true);
    }
  }

  private void fail(Message<Object> message, Throwable failure, boolean executed) {
    RuntimeStateException sent = BusFailures.sent(type, failure, executed);
    message.fail(sent.code().number(), sent.getMessage());
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
