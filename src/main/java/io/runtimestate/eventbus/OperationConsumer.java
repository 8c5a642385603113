package io.runtimestate.eventbus;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Completable;
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
    Answer answer = new Answer(message, type);
    try {
      serve(message, answer);
    } catch (Throwable failure) {
      answer.fail(failure, answer.executed);
    }
  }

  private void serve(Message<Object> message, Answer answer) {
    if (message.body() instanceof ByReference.Call call) {
      answer.byReference = true;
      execute(call.operation(), call.timeoutMillis(), answer);
    } else {
      long timeout = timeout(message);
      execute(OperationJson.of(type).readCall(message.body()), timeout, answer);
    }
  }

  private void execute(Operation<?> operation, long timeoutMillis, Answer answer) {
    answer.executed = true;
    door.execute(operation, timeoutMillis).onComplete(answer);
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

  /** Answers one message in the form it came in. */
  private static final class Answer implements Completable<Object> {
    private final Message<Object> message;
    private final OperationType type;
    private boolean byReference;
    private boolean executed;

    Answer(Message<Object> message, OperationType type) {
      this.message = message;
      this.type = type;
    }

    @Override
    public void complete(Object result, Throwable failure) {
      if (failure == null) {
        reply(result);
      } else {
        fail(failure, true);
      }
    }

    void fail(Throwable failure, boolean executed) {
      RuntimeStateException sent = BusFailures.sent(type, failure, executed);
      message.fail(sent.code().number(), sent.getMessage());
    }

    private void reply(Object result) {
      if (byReference) {
        message.reply(new ByReference.Result(result), ByReference.reply());
      } else {
        replyJson(result);
      }
    }

    private void replyJson(Object result) {
      try {
        message.reply(OperationJson.of(type).writeReply(result));
      } catch (RuntimeException defect) {
        fail(defect, true);
      }
    }
  }
}
