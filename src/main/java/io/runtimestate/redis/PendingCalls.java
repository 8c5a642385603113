package io.runtimestate.redis;

import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.LongAdder;

/** Calls accepted and not finished; tells when there is none left. Any thread. */
final class PendingCalls implements Completable<Object> {
  private final LongAdder calls = new LongAdder();
  private final Promise<Void> drained = Promise.promise();
  private volatile boolean draining;

  void started() {
    calls.increment();
  }

  @Override
  public void complete(Object result, Throwable failure) {
    finished();
  }

  void finished() {
    calls.decrement();
    if (draining) {
      check();
    }
  }

  long count() {
    return calls.sum();
  }

  /** Completes when all calls have finished; no new one is expected. */
  Future<Void> drained() {
    draining = true;
    check();
    return drained.future();
  }

  private void check() {
    if (calls.sum() <= 0) {
      drained.tryComplete();
    }
  }
}
