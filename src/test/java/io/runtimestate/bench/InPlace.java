package io.runtimestate.bench;

import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Runs many calls on an event loop, one after the other, while JMH's thread waits: JMH divides by
 * their number. A call that is answered at once does not grow the stack, one that is not goes on in
 * its handler, as an application's would.
 */
final class InPlace implements Completable<Object>, Handler<Void> {
  /** Calls of one invocation: enough to make the change of threads not count. */
  static final int CALLS = 50_000;

  final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
  final Context loop = ((VertxInternal) vertx).createEventLoopContext();
  private LongFunction<Future<?>> work;
  private CountDownLatch done;
  private long number;
  private int left;
  private boolean calling;
  private boolean answered;
  private Throwable failure;

  /** Calls so often and waits. */
  void run(LongFunction<Future<?>> each) throws Exception {
    work = each;
    left = CALLS;
    done = new CountDownLatch(1);
    loop.runOnContext(this);
    if (!done.await(60, TimeUnit.SECONDS) || failure != null) {
      throw new IllegalStateException("a call failed or hangs", failure);
    }
  }

  @Override
  public void handle(Void start) {
    proceed();
  }

  private void proceed() {
    while (left-- > 0) {
      answered = false;
      calling = true;
      work.apply(number++).onComplete(this);
      calling = false;
      if (!answered) {
        return;
      }
    }
    done.countDown();
  }

  @Override
  public void complete(Object result, Throwable cause) {
    answered = true;
    failure = cause == null ? failure : cause;
    if (!calling) {
      proceed();
    }
  }

  void close() throws Exception {
    vertx.close().await(30, TimeUnit.SECONDS);
  }
}
