package io.runtimestate.bench;

/** Counts latencies in buckets that are at most a sixteenth wide. Not for several threads. */
final class Latencies {
  private static final int PARTS = 16;
  private static final int PART_BITS = 4;

  private final long[] counts = new long[64 * PARTS];
  private long total;

  void record(long nanos) {
    counts[bucket(Math.max(PARTS, nanos))]++;
    total++;
  }

  void addAll(Latencies other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    total += other.total;
  }

  /** The lower bound of the bucket the percentile falls into; 0 if nothing was recorded. */
  long percentile(double share) {
    long below = (long) Math.ceil(total * share);
    int bucket = 0;
    for (long seen = counts[0]; seen < below; seen += counts[bucket]) {
      bucket++;
    }
    return total == 0 ? 0 : lowerBound(bucket);
  }

  private static int bucket(long nanos) {
    int exponent = 63 - Long.numberOfLeadingZeros(nanos);
    return exponent * PARTS + (int) (nanos >>> exponent - PART_BITS) - PARTS;
  }

  private static long lowerBound(int bucket) {
    int exponent = bucket / PARTS;
    return (long) (PARTS + bucket % PARTS) << exponent >> PART_BITS;
  }
}
