package io.runtimestate.eventbus;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.OperationType;
import io.vertx.core.eventbus.ReplyException;

/** What failures become on their way over the bus, and back. */
final class BusFailures {
  private BusFailures() {}

  /**
   * A failure as it is sent. Anything unknown is a defect, and its message could hold anything, so
   * only its class is told.
   */
  static RuntimeStateException sent(OperationType type, Throwable failure, boolean executed) {
    if (failure instanceof RuntimeStateException known) {
      return known;
    }
    String text = type.name() + ": defect, " + failure.getClass().getName();
    return of(type, FailureCode.INTERNAL, text, executed);
  }

  /** A failure as it is handed over without being sent: the same for the client. */
  static RuntimeStateException passed(OperationType type, Throwable failure) {
    RuntimeStateException sent = sent(type, failure, true);
    return RuntimeStateException.ofNumber(sent.code().number(), sent.getMessage());
  }

  /** What the client makes of a request that failed. */
  static RuntimeStateException received(OperationType type, Throwable failure) {
    return failure instanceof ReplyException reply
        ? answered(type, reply)
        : sent(type, failure, false);
  }

  static RuntimeStateException undecodable(OperationType type) {
    String text = type.name() + ": the reply is not understood";
    return of(type, FailureCode.UNEXPECTED_REPLY, text, true);
  }

  static RuntimeStateException unanswered(OperationType type) {
    return of(type, FailureCode.TIMED_OUT, type.name() + ": no reply over the event bus", true);
  }

  static RuntimeStateException closed(OperationType type, boolean sent) {
    return of(type, FailureCode.CLOSED, type.name() + ": the client is closed", sent);
  }

  private static RuntimeStateException answered(OperationType type, ReplyException reply) {
    return switch (reply.failureType()) {
      case NO_HANDLERS ->
          of(type, FailureCode.UNAVAILABLE, type.name() + ": nobody serves the address", false);
      case TIMEOUT -> unanswered(type);
      case RECIPIENT_FAILURE ->
          RuntimeStateException.ofNumber(reply.failureCode(), message(type, reply));
      case ERROR -> undecodable(type);
    };
  }

  private static String message(OperationType type, ReplyException reply) {
    return reply.getMessage() == null ? type.name() + ": failed" : reply.getMessage();
  }

  private static RuntimeStateException of(
      OperationType type, FailureCode code, String message, boolean sent) {
    return new RuntimeStateException(code, message, sent && type.kind().isWrite(), null);
  }
}
