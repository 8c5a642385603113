package io.runtimestate.support;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How late this machine wakes a thread that asks for nothing but to be woken. A bound on time is
 * fair only beyond that: what a busy machine adds is not the library's.
 */
public final class Lag implements AutoCloseable {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Thread ticker = new Thread(this::tick, "lag");
  private volatile boolean over;
  private volatile long worst;

  private Lag() {
    ticker.setDaemon(true);
    ticker.start();
  }

  /** Measures from now until it is closed. */
  public static Lag measure() {
    return new Lag();
  }

  private void tick() {
    long before = System.nanoTime();
    while (!over) {
      LockSupport.parkNanos(STEP_NANOS);
      long now = System.nanoTime();
      worst = Math.max(worst, now - before - STEP_NANOS);
      before = now;
    }
  }

  /** The worst so far, in milliseconds. */
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(worst) + 1;
  }

  @Override
  public void close() {
    over = true;
    LockSupport.unpark(ticker);
  }
}
