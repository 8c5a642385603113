package io.runtimestate.support;

import io.runtimestate.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves only when told to, in either direction. Any thread may use it. */
public final class FakeClock implements TimeSource {

  private final AtomicLong nanos;
  private final AtomicLong millis;

  /** Starts just below the overflow of {@code nanoTime}, which code must survive. */
  public FakeClock() {
    this(Long.MAX_VALUE - Duration.ofSeconds(1).toNanos(), 1_700_000_000_000L);
  }

  public FakeClock(long nanoTime, long unixMillis) {
    nanos = new AtomicLong(nanoTime);
    millis = new AtomicLong(unixMillis);
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public long unixMillis() {
    return millis.get();
  }

  /** Moves both clocks; a negative duration moves them back. Below a millisecond only the nanos. */
  public FakeClock advance(Duration by) {
    nanos.addAndGet(by.toNanos());
    millis.addAndGet(by.toMillis());
    return this;
  }

  /** Sets the wall clock alone, as an administrator or NTP would. */
  public FakeClock setUnixMillis(long value) {
    millis.set(value);
    return this;
  }

  /** Steps the wall clock alone. */
  public FakeClock stepUnix(Duration by) {
    millis.addAndGet(by.toMillis());
    return this;
  }

  /** Sets the monotonic clock alone. */
  public FakeClock setNanoTime(long value) {
    nanos.set(value);
    return this;
  }
}
