package io.runtimestate.eventbus;

import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One call on its way. It is answered by the bus or ended by the close of its client, whichever
 * comes first.
 *
 * <p>Inside one Vert.x instance the call itself is the body of its request, and of its answer,
 * whose result it has been given before: {@link ByReference} passes it as it is.
 */
final class RemoteCall<R> implements Completable<Message<Object>> {
  private static final Object NO_RESULT = new Object();

  private final Operation<R> operation;
  private final long timeoutMillis;
  private final Promise<R> promise;
  private final Set<RemoteCall<?>> pending;
  private final int hash = ThreadLocalRandom.current().nextInt();
  private Object result = NO_RESULT; // the bus orders writing it before reading

  /**
   * @param timeoutMillis as in {@link io.runtimestate.spi.StateBackend#execute(Operation, long)}
   */
  RemoteCall(
      Operation<R> operation, long timeoutMillis, Promise<R> promise, Set<RemoteCall<?>> pending) {
    this.operation = operation;
    this.timeoutMillis = timeoutMillis;
    this.promise = promise;
    this.pending = pending;
  }

  Operation<R> operation() {
    return operation;
  }

  long timeoutMillis() {
    return timeoutMillis;
  }

  Future<R> future() {
    return promise.future();
  }

  OperationType type() {
    return OperationCatalog.typeOf(operation);
  }

  /** Takes the result along; whoever serves the call replies with the call then. */
  RemoteCall<R> bringing(Object result) {
    this.result = result;
    return this;
  }

  @Override
  public void complete(Message<Object> reply, Throwable failure) {
    if (failure == null) {
      answer(reply.body());
    } else {
      end(BusFailures.received(type(), failure));
    }
  }

  /** Ends the call with a failure, unless it has ended. */
  void end(Throwable failure) {
    pending.remove(this);
    promise.tryFail(failure);
  }

  private void answer(Object body) {
    if (body == this && result != NO_RESULT) {
      resolve(result);
      return;
    }
    Object read;
    try {
      read = OperationJson.of(type()).readReply(body);
    } catch (RuntimeException undecodable) {
      end(BusFailures.undecodable(type()));
      return;
    }
    resolve(read);
  }

  @SuppressWarnings("unchecked") // the catalogue's result type of the operation
  private void resolve(Object value) {
    pending.remove(this);
    promise.tryComplete((R) value);
  }

  /** Calls are equal only to themselves, and asking the JVM for a hash code of that costs more. */
  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public String toString() {
    return operation.name();
  }
}
