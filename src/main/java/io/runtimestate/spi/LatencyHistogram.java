package io.runtimestate.spi;

import io.runtimestate.data.Latency;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;

/** Counts latencies by upper bound; any thread may record. */
public final class LatencyHistogram {
  private static final long[] BOUNDS_MILLIS = {
    1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000
  };
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final EventCount[] counts = new EventCount[BOUNDS_MILLIS.length + 1];
  private final EventCount totalNanos = new EventCount();
  private final LongAccumulator maxNanos = new LongAccumulator(Math::max, 0);

  /** An empty histogram. */
  public LatencyHistogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new EventCount();
    }
  }

  /** Counts one latency. */
  public void record(long nanos) {
    counts[bucketOf(nanos)].increment();
    totalNanos.add(nanos);
    maxNanos.accumulate(nanos);
  }

  /** What was counted so far. */
  public Latency snapshot() {
    Map<String, Long> buckets = new LinkedHashMap<>();
    long cumulative = 0;
    for (int i = 0; i < counts.length; i++) {
      cumulative += counts[i].sum();
      buckets.put(label(i), cumulative);
    }
    return new Latency(
        totalNanos.sum() / NANOS_PER_MILLI, maxNanos.get() / NANOS_PER_MILLI, buckets);
  }

  private static String label(int bucket) {
    return bucket < BOUNDS_MILLIS.length ? Long.toString(BOUNDS_MILLIS[bucket]) : "+Inf";
  }

  private static int bucketOf(long nanos) {
    int bucket = 0;
    while (bucket < BOUNDS_MILLIS.length && nanos > BOUNDS_MILLIS[bucket] * NANOS_PER_MILLI) {
      bucket++;
    }
    return bucket;
  }
}
