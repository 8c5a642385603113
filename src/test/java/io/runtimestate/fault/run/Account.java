package io.runtimestate.fault.run;

import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicLong;

/** How many effects are certain, and how many more there may be. */
final class Account {
  private final AtomicLong certain = new AtomicLong();
  private final AtomicLong possible = new AtomicLong();

  /** Books one effect of a call. */
  <R> Future<R> book(Future<R> call) {
    return call.onSuccess(done -> certain.incrementAndGet()).onFailure(this::bookPossible);
  }

  void bookCertain() {
    certain.incrementAndGet();
  }

  void bookPossible(Throwable failure) {
    if (((RuntimeStateException) failure).mayHaveBeenApplied()) {
      possible.incrementAndGet();
    }
  }

  long least() {
    return certain.get();
  }

  long most() {
    return certain.get() + possible.get();
  }
}
