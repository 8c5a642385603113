package io.runtimestate.memory;

import io.runtimestate.memory.table.Entry;
import io.runtimestate.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Time as the memory backend sees it: nanoseconds since it was opened, never going back, and unix
 * time that follows them. One operation sees one instant, read when it first asks.
 */
final class MemoryClock {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;

  // ---- fixed, any thread ----
  private final TimeSource source;
  private final long origin;
  private final long unixAtOpen;
  // ---- owner's loop only ----
  private long latest;
  private boolean read;

  MemoryClock(TimeSource source) {
    this.source = source;
    this.origin = source.nanoTime();
    this.unixAtOpen = source.unixMillis();
  }

  /** Begins a new operation: the next look at the time is a new one. */
  void step() {
    read = false;
  }

  /** The instant of this operation, in nanoseconds since open. */
  long now() {
    if (!read) {
      read = true;
      latest = Math.max(latest, elapsed());
    }
    return latest;
  }

  /** The instant of this operation in unix milliseconds. */
  long unixNow() {
    return unixAtOpen + now() / NANOS_PER_MILLI;
  }

  /** The instant of this operation in unix microseconds. */
  long unixMicros() {
    return unixAtOpen * MICROS_PER_MILLI + now() / NANOS_PER_MICRO;
  }

  /** Unix milliseconds for anybody, from any thread. */
  long unixMillis() {
    return unixAtOpen + elapsed() / NANOS_PER_MILLI;
  }

  /** The deadline that is so far away from now. */
  long deadline(Duration ttl) {
    return after(ttl.toMillis());
  }

  /** The deadline that is so many milliseconds away from now, capped instead of overflowing. */
  long after(long millis) {
    long latest = Entry.NEVER - 1;
    return now() + Math.min(TimeUnit.MILLISECONDS.toNanos(millis), latest - now());
  }

  /** The time left until a deadline in whole milliseconds, rounded up. */
  long millisUntil(long deadline) {
    return -Math.floorDiv(now() - deadline, NANOS_PER_MILLI);
  }

  private long elapsed() {
    return Math.max(0, source.nanoTime() - origin);
  }
}
