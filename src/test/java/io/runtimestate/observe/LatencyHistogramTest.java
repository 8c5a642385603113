package io.runtimestate.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.Latency;
import io.runtimestate.spi.LatencyHistogram;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private final LatencyHistogram histogram = new LatencyHistogram();

  @Test
  @DisplayName("C435 latencies are counted cumulatively by their upper bound")
  void record_buckets() {
    for (long millis : new long[] {0, 12, 12_345}) {
      histogram.record(TimeUnit.MILLISECONDS.toNanos(millis));
    }
    Latency latency = histogram.snapshot();
    assertThat(latency.buckets())
        .containsEntry("1", 1L)
        .containsEntry("10", 1L)
        .containsEntry("25", 2L)
        .containsEntry("10000", 2L)
        .containsEntry("+Inf", 3L);
    assertThat(latency.buckets().keySet())
        .containsExactly(
            "1", "5", "10", "25", "50", "100", "250", "500", "1000", "2500", "5000", "10000",
            "+Inf");
    assertThat(latency.totalMs()).isEqualTo(12_357);
    assertThat(latency.maxMs()).isEqualTo(12_345);
  }

  @Test
  void record_boundIsInclusive() {
    histogram.record(TimeUnit.MILLISECONDS.toNanos(1));
    histogram.record(TimeUnit.MILLISECONDS.toNanos(1) + 1);
    assertThat(histogram.snapshot().buckets()).containsEntry("1", 1L).containsEntry("5", 2L);
  }

  @Test
  void snapshot_empty() {
    Latency latency = histogram.snapshot();
    assertThat(latency.buckets())
        .hasSize(13)
        .allSatisfy((bound, count) -> assertThat(count).isZero());
    assertThat(latency.maxMs()).isZero();
  }
}
