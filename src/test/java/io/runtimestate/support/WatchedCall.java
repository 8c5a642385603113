package io.runtimestate.support;

import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.FutureInternal;
import java.util.concurrent.atomic.AtomicInteger;

/** One call and what became of its future. */
final class WatchedCall implements Completable<Object> {
  private final String operation;
  private final Context caller;
  private final SettleCheck check;
  private final AtomicInteger completions = new AtomicInteger();

  /**
   * @param caller the context it was made on; null for a plain thread
   */
  WatchedCall(String operation, Context caller, SettleCheck check) {
    this.operation = operation;
    this.caller = caller;
    this.check = check;
  }

  /** Looks at a future that was just handed out; one that is complete needs no further watching. */
  void watch(Future<?> future) {
    if (future == null) {
      check.violation(operation + " gave no future");
      return;
    }
    ContextInternal context = ((FutureInternal<?>) future).context();
    if (context == null || caller != null && context != caller) {
      check.violation(operation + " gave a future of context " + context + ", not " + caller);
    }
    if (!future.isComplete()) {
      check.add(this);
      future.onComplete(this);
    }
  }

  @Override
  public void complete(Object result, Throwable failure) {
    if (completions.incrementAndGet() > 1) {
      check.violation(operation + " completed twice");
    }
    if (caller != null && Vertx.currentContext() != caller) {
      check.violation(operation + " completed on " + Vertx.currentContext() + ", not " + caller);
    } else if (!Context.isOnVertxThread()) {
      check.violation(operation + " completed on " + Thread.currentThread());
    }
    check.remove(this);
  }

  @Override
  public String toString() {
    return operation;
  }
}
