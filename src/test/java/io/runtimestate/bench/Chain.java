package io.runtimestate.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ObjIntConsumer;

/**
 * Calls one after the other on an event loop, each when the one before has been answered. Answers
 * that are there at once do not grow the stack.
 */
final class Chain<T> {
  private static final long PATIENCE_SECONDS = 120;

  private final int calls;
  private final IntFunction<? extends Future<? extends T>> call;
  private final ObjIntConsumer<T> answers;
  private final Runnable then;
  private final Promise<?> broken;

  /** Runs {@code then} at the end, on the stack of the last answer, or fails the promise. */
  Chain(
      int calls,
      IntFunction<? extends Future<? extends T>> call,
      ObjIntConsumer<T> answers,
      Runnable then,
      Promise<?> broken) {
    this.calls = calls;
    this.call = call;
    this.answers = answers;
    this.then = then;
    this.broken = broken;
  }

  /** Makes so many calls on the loop of a context and waits for all of them. */
  static void on(Context context, int calls, IntFunction<? extends Future<?>> call)
      throws Exception {
    Promise<Void> done = Promise.promise();
    Chain<Object> chain = new Chain<>(calls, call, (answer, i) -> {}, done::complete, done);
    context.runOnContext(now -> chain.run());
    done.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  void run() {
    runFrom(0);
  }

  private void runFrom(int first) {
    for (int i = first; i < calls; i++) {
      Future<? extends T> answer = call.apply(i);
      if (!answer.isComplete()) {
        int waiting = i;
        answer.onComplete(
            there -> {
              if (take(answer, waiting)) {
                runFrom(waiting + 1);
              }
            });
        return;
      }
      if (!take(answer, i)) {
        return;
      }
    }
    then.run();
  }

  private boolean take(Future<? extends T> answer, int i) {
    if (answer.failed()) {
      broken.tryFail(answer.cause());
      return false;
    }
    answers.accept(answer.result(), i);
    return true;
  }
}
