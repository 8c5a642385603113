package io.runtimestate.eventbus;

import io.runtimestate.operation.OperationType;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import java.util.Set;

/**
 * One call on its way. It is answered by the bus or ended by the close of its client, whichever
 * comes first.
 */
final class RemoteCall<R> implements Completable<Message<Object>> {
  private final OperationType type;
  private final Promise<R> promise;
  private final Set<RemoteCall<?>> pending;

  RemoteCall(OperationType type, Promise<R> promise, Set<RemoteCall<?>> pending) {
    this.type = type;
    this.promise = promise;
    this.pending = pending;
  }

  Future<R> future() {
    return promise.future();
  }

  OperationType type() {
    return type;
  }

  @Override
  public void complete(Message<Object> reply, Throwable failure) {
    if (failure == null) {
      answer(reply.body());
    } else {
      end(BusFailures.received(type, failure));
    }
  }

  /** Ends the call with a failure, unless it has ended. */
  void end(Throwable failure) {
    pending.remove(this);
    promise.tryFail(failure);
  }

  private void answer(Object body) {
    Object result;
    try {
      result = body instanceof ByReference.Result passed ? passed.value() : read(body);
    } catch (RuntimeException undecodable) {
      end(BusFailures.undecodable(type));
      return;
    }
    pending.remove(this);
    promise.tryComplete(typed(result));
  }

  private Object read(Object body) {
    return OperationJson.of(type).readReply(body);
  }

  @SuppressWarnings("unchecked") // the catalogue's result type of the operation
  private R typed(Object result) {
    return (R) result;
  }
}
