package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.RedisDiagnostics;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InfoTextTest {
  private static final String INFO =
      """
      # Clients\r
      connected_clients:1\r
      blocked_clients:2\r
      # Stats\r
      total_connections_received:3\r
      rejected_connections:4\r
      total_commands_processed:5\r
      instantaneous_ops_per_sec:6\r
      total_error_replies:7\r
      expired_keys:8\r
      evicted_keys:9\r
      keyspace_hits:10\r
      keyspace_misses:11\r
      brand_new_field:12\r
      # Memory\r
      used_memory:13\r
      maxmemory:unlimited\r
      mem_fragmentation_ratio:1.25\r
      """;

  private static RedisDiagnostics parse(String text) {
    return InfoText.parse(text).diagnostics(List.of());
  }

  @Test
  @DisplayName("C434: every documented field is read; unknown and unreadable ones are absent")
  void readsEveryField() {
    assertThat(parse(INFO))
        .isEqualTo(
            new RedisDiagnostics(
                OptionalLong.of(1),
                OptionalLong.of(2),
                OptionalLong.of(3),
                OptionalLong.of(4),
                OptionalLong.of(5),
                OptionalLong.of(6),
                OptionalLong.of(7),
                OptionalLong.of(8),
                OptionalLong.of(9),
                OptionalLong.of(10),
                OptionalLong.of(11),
                OptionalLong.of(13),
                OptionalLong.empty(),
                OptionalLong.of(12_500),
                List.of()));
  }

  @Test
  void ratiosThatAreNoneAreAbsent() {
    for (String ratio : List.of("nan", "inf", "-0.5", "", "1e999999")) {
      assertThat(parse("mem_fragmentation_ratio:" + ratio).memFragmentationBasisPoints())
          .as(ratio)
          .isEmpty();
    }
  }
}
