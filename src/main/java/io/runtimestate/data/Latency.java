package io.runtimestate.data;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A latency histogram.
 *
 * @param totalMs sum of all measured latencies, in milliseconds
 * @param maxMs the longest measured latency, in milliseconds
 * @param buckets cumulative counts by upper bound in milliseconds, in ascending order; {@code +Inf}
 *     counts everything that was measured
 */
public record Latency(long totalMs, long maxMs, Map<String, Long> buckets) {
  /** Copies the map and keeps its order. */
  public Latency {
    buckets = Collections.unmodifiableMap(new LinkedHashMap<>(buckets));
  }
}
