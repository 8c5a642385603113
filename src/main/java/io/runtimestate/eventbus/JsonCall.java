package io.runtimestate.eventbus;

import io.runtimestate.operation.Operation;
import io.vertx.core.Completable;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import java.util.Set;

/** A call that travels as a request of the bus, which ends it in any case. */
final class JsonCall<R> extends RemoteCall<R> implements Completable<Message<Object>> {
  JsonCall(Operation<R> operation, Promise<R> promise, Set<RemoteCall<?>> pending) {
    super(operation, promise, pending);
  }

  @Override
  boolean isLost(long tick) {
    return false;
  }

  @Override
  public void complete(Message<Object> reply, Throwable failure) {
    if (failure == null) {
      answer(reply.body());
    } else {
      abort(BusFailures.received(type(), failure));
    }
  }

  private void answer(Object body) {
    Object result;
    try {
      result = OperationJson.of(type()).readReply(body);
    } catch (RuntimeException undecodable) {
      abort(BusFailures.undecodable(type()));
      return;
    }
    end(typed(result));
  }

  @SuppressWarnings("unchecked") // the catalogue's result type of the operation
  private R typed(Object result) {
    return (R) result;
  }
}
