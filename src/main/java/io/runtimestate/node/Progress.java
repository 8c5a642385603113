package io.runtimestate.node;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Tells once a second how far a replay is, and at the end how fast it was. */
final class Progress {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PrintStream out;
  private final long start = System.nanoTime();
  private long told = start;
  private long requests;

  Progress(PrintStream out) {
    this.out = out;
  }

  void count() {
    requests++;
    long now = System.nanoTime();
    if (now - told >= PAUSE_NANOS) {
      told = now;
      tell(now, "");
    }
  }

  void done() {
    tell(System.nanoTime(), "done: ");
  }

  private void tell(long now, String lead) {
    double seconds = (now - start) / 1e9;
    out.printf(
        Locale.ROOT,
        "%s%,d requests in %.1f s, %,.0f a second%n",
        lead,
        requests,
        seconds,
        requests / seconds);
  }
}
