package io.runtimestate.spi;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.function.Supplier;

/**
 * A local estimate of a clock elsewhere: the monotonic clock of this machine, corrected by a sample
 * of the other one every 30 s. Reading it is free; its error is at most half the round trip of the
 * last sample, plus the drift since. Steps of this machine's wall clock do not matter.
 */
public final class ClockEstimate {
  /** How often a sample is taken, in milliseconds. */
  public static final long INTERVAL_MILLIS = 30_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Context context;
  private final Supplier<Future<Long>> sampler;
  private volatile long offsetNanos;
  private boolean closed; // this and the timer: only on the context
  private long timer;

  /**
   * Takes no sample yet.
   *
   * @param sampler asks the other clock: unix time in milliseconds
   */
  public ClockEstimate(Vertx vertx, Supplier<Future<Long>> sampler) {
    this.context = ((VertxInternal) vertx).createEventLoopContext();
    this.sampler = sampler;
  }

  /** Takes the first sample and keeps taking them; fails, and takes none, if the first fails. */
  public Future<Void> start() {
    return sample().onSuccess(first -> context.runOnContext(ready -> repeat()));
  }

  /** The other clock's unix time in milliseconds, as far as known here; from any thread. */
  public long unixMillis() {
    return (System.nanoTime() + offsetNanos) / NANOS_PER_MILLI;
  }

  /** Takes no further samples; idempotent. */
  public void close() {
    context.runOnContext(
        now -> {
          closed = true;
          context.owner().cancelTimer(timer);
        });
  }

  private void repeat() {
    if (!closed) {
      timer = context.owner().setPeriodic(INTERVAL_MILLIS, tick -> sample());
    }
  }

  private Future<Void> sample() {
    long before = System.nanoTime();
    return sampler.get().map(millis -> correct(before, millis));
  }

  private Void correct(long before, long millis) {
    long halfway = before + (System.nanoTime() - before) / 2;
    offsetNanos = millis * NANOS_PER_MILLI - halfway;
    return null;
  }
}
