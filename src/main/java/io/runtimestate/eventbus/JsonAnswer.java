package io.runtimestate.eventbus;

import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.OperationType;
import io.vertx.core.Completable;
import io.vertx.core.eventbus.Message;

/** Answers one message in JSON. */
final class JsonAnswer implements Completable<Object> {
  private final Message<Object> message;
  private final OperationType type;

  JsonAnswer(Message<Object> message, OperationType type) {
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
    try {
      message.reply(OperationJson.of(type).writeReply(result));
    } catch (RuntimeException defect) {
      fail(defect, true);
    }
  }
}
