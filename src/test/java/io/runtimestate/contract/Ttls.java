package io.runtimestate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.KeyTtl;
import io.runtimestate.support.Await;
import java.time.Duration;

/** Durations and what is left of them. */
final class Ttls {
  private Ttls() {}

  static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  /** Demands that a key expires after more than the one and at most the other duration. */
  static void assertExpires(RuntimeState state, String key, Duration above, Duration atMost) {
    KeyTtl ttl = Await.get(state.keys().ttl(key));
    assertThat(ttl).isInstanceOf(KeyTtl.Remaining.class);
    assertThat(((KeyTtl.Remaining) ttl).ttl()).isGreaterThan(above).isLessThanOrEqualTo(atMost);
  }

  static void assertNoExpiry(RuntimeState state, String key) {
    assertThat(Await.get(state.keys().ttl(key))).isEqualTo(new KeyTtl.NoExpiry());
  }

  static void assertMissing(RuntimeState state, String key) {
    assertThat(Await.get(state.keys().ttl(key))).isEqualTo(new KeyTtl.Missing());
    assertThat(Await.get(state.keys().exists(key))).isFalse();
  }
}
