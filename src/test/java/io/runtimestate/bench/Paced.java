package io.runtimestate.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/**
 * Calls that come at a fixed rate whether or not the ones before are answered, as requests do.
 * Latency counts from the moment at which a call was due: a load that waits for its answers would
 * hardly notice that everything stood still for a while.
 */
final class Paced implements Contender {
  private static final long PERIOD_NANOS = 500_000;
  private static final long LONGEST_DRAIN_SECONDS = 60;

  private final String name;
  private final Context caller;
  private final LongFunction<Future<?>> call;

  Paced(String name, Context caller, LongFunction<Future<?>> call) {
    this.name = name;
    this.caller = caller;
    this.call = call;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Sample round(long millis) throws Exception {
    int calls = Math.toIntExact(TimeUnit.MILLISECONDS.toNanos(millis) / PERIOD_NANOS);
    Calls all = new Calls(calls);
    Meter meter = Meter.start();
    long begin = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      all.startAt(i, begin + i * PERIOD_NANOS);
    }
    all.await();
    return meter.stop(calls, all.latencies);
  }

  private final class Calls {
    private final Latencies latencies = new Latencies(); // only on the caller's loop
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch running;

    Calls(int calls) {
      running = new CountDownLatch(calls);
    }

    void startAt(int number, long due) {
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      caller.runOnContext(
          now -> call.apply(number).onComplete(answer -> answered(answer.cause(), due)));
    }

    private void answered(Throwable cause, long due) {
      latencies.record(System.nanoTime() - due);
      if (cause != null) {
        failure.compareAndSet(null, cause);
      }
      running.countDown();
    }

    void await() throws InterruptedException {
      if (!running.await(LONGEST_DRAIN_SECONDS, TimeUnit.SECONDS) || failure.get() != null) {
        throw new IllegalStateException(name + " failed or hangs", failure.get());
      }
    }
  }
}
