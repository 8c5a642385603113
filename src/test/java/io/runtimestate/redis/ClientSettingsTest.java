package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RedisOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClientSettingsTest {
  private static final int ATTEMPT_MILLIS = 700;

  private final RedisOptions options = new RedisOptions().setUrl("redis://localhost:6379");
  private final ClientSettings settings = new ClientSettings(options);

  private io.vertx.redis.client.RedisOptions of(LaneKind kind) {
    return settings.forLane(kind, options.parsedUrl().orElseThrow(), true, ATTEMPT_MILLIS);
  }

  @ParameterizedTest
  @EnumSource(LaneKind.class)
  @DisplayName("A09 a held connection is never recycled, however idle, and is the only one")
  void neverRecycled(LaneKind kind) {
    assertThat(of(kind).getPoolCleanerInterval()).isNegative();
    assertThat(of(kind).getPoolRecycleTimeout()).isNegative();
    assertThat(of(kind).getMaxPoolSize()).isEqualTo(1);
    assertThat(of(kind).getNetClientOptions().getIdleTimeout()).isZero();
    assertThat(of(kind).getNetClientOptions().getReadIdleTimeout()).isZero();
  }

  @Test
  @DisplayName("B07 connecting may take as long as the attempt and no longer")
  void connectTimeout() {
    assertThat(of(LaneKind.FAST).getNetClientOptions().getConnectTimeout())
        .isEqualTo(ATTEMPT_MILLIS);
  }

  @Test
  @DisplayName("C01 the client takes all that the lane admits, and the handshake beside it")
  void clientQueue() {
    options.setMaxPendingCommands(10);
    assertThat(of(LaneKind.FAST).getMaxWaitingHandlers()).isGreaterThan(10 + 100);
  }
}
