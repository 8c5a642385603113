package io.runtimestate.eventbus;

import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One call on its way. It is answered from the other side or ended by its client, whichever comes
 * first.
 */
abstract class RemoteCall<R> {
  private final Operation<R> operation;
  private final Promise<R> promise;
  private final Set<RemoteCall<?>> pending;
  private final int hash = ThreadLocalRandom.current().nextInt();

  RemoteCall(Operation<R> operation, Promise<R> promise, Set<RemoteCall<?>> pending) {
    this.operation = operation;
    this.promise = promise;
    this.pending = pending;
  }

  /** Whether nobody will answer any more, as far as the bus itself does not tell. */
  abstract boolean isLost(long tick);

  final Operation<R> operation() {
    return operation;
  }

  final OperationType type() {
    return OperationCatalog.typeOf(operation);
  }

  final Future<R> future() {
    return promise.future();
  }

  /** Ends the call with its result, unless it has ended. */
  final void end(R result) {
    pending.remove(this);
    promise.tryComplete(result);
  }

  /** Ends the call with a failure, unless it has ended. */
  final void abort(Throwable failure) {
    pending.remove(this);
    promise.tryFail(failure);
  }

  /** A call equals only itself; asking the JVM for a hash code of that would cost more. */
  @Override
  public final int hashCode() {
    return hash;
  }

  @Override
  public final boolean equals(Object other) {
    return this == other;
  }

  /** Interceptors see calls as bodies. */
  @Override
  public final String toString() {
    return operation.name();
  }
}
