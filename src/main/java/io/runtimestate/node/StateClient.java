package io.runtimestate.node;

import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;

/** A client that knows nothing of this library but its addresses and their JSON. */
final class StateClient {
  private final EventBus bus;
  private final String base;

  StateClient(EventBus bus, String base) {
    this.bus = bus;
    this.base = base;
  }

  /** The result of an operation, as JSON holds it. */
  @SuppressWarnings("unchecked") // the caller knows what the operation answers
  <T> Future<T> ask(String operation, JsonObject arguments) {
    return bus.<JsonObject>request(base + "." + operation, arguments)
        .map(reply -> (T) reply.body().getValue("result"));
  }

  /** The code and the message of a failure that the node answered. */
  static Throwable answered(Throwable failure) {
    return failure instanceof ReplyException reply
            && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
        ? RuntimeStateException.ofNumber(reply.failureCode(), reply.getMessage())
        : failure;
  }
}
