package io.runtimestate.spi;

/** Where the memory backend reads time; tests put their own here. */
public interface TimeSource {
  /** Monotonic nanoseconds with an arbitrary origin; a step back does no harm. */
  long nanoTime();

  /** Wall-clock milliseconds since 1970; read once, when the backend opens. */
  long unixMillis();

  /** The clocks of this machine. */
  TimeSource SYSTEM =
      new TimeSource() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public long unixMillis() {
          return System.currentTimeMillis();
        }
      };
}
