package io.runtimestate.memory;

import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.PromiseInternal;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * An answer that is not there when its operation returns: a blocked read, a chunked call. It is
 * decided once, on the owner's loop, and told by a task of the caller's event loop.
 *
 * @param <R> the result
 */
final class Later<R> {
  private PromiseInternal<R> promise;
  private ContextInternal caller;

  /** Says who asked; happens right after the operation returned, before anything can decide. */
  Future<R> forCaller(ContextInternal context) {
    caller = context;
    promise = context.promise();
    return promise.future();
  }

  /** The same for a caller that waits on a promise already. */
  void forCaller(ContextInternal context, PromiseInternal<R> waiting) {
    caller = context;
    promise = waiting;
  }

  void complete(R result) {
    tell(to -> to.tryComplete(result));
  }

  void fail(RuntimeStateException failure) {
    tell(to -> to.tryFail(failure));
  }

  private void tell(Consumer<Promise<R>> how) {
    PromiseInternal<R> to = promise;
    try {
      caller.nettyEventLoop().execute(() -> how.accept(to));
    } catch (RejectedExecutionException ended) {
      to.tryFail(Owner.closed()); // the caller's event loop ended with its Vertx
    }
  }
}
