package io.runtimestate.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LockLeaseTest {
  private static final Duration TTL = Duration.ofSeconds(30);
  private final LockLease lease = new LockLease("k", "o", "o:1", 7, TTL);

  @Test
  @DisplayName("0.10 the time of sending is no property of a lease")
  void sentAt_isNoProperty() {
    LockLease sent = lease.sentAt(System.nanoTime());
    assertThat(sent).isEqualTo(lease).hasSameHashCodeAs(lease).hasToString("LockLease");
    assertThat(lease).isNotEqualTo(new LockLease("k", "o", "o:1", 8, TTL)).isNotEqualTo("k");
  }

  @Test
  @DisplayName("10.1 what remains counts from before sending, and is nothing if that is unknown")
  void remaining_countsFromSending() {
    assertThat(lease.remaining()).isZero();
    long now = System.nanoTime();
    assertThat(lease.sentAt(now).remaining()).isBetween(TTL.minusSeconds(5), TTL);
    assertThat(lease.sentAt(now - Duration.ofSeconds(20).toNanos()).remaining())
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
    assertThat(lease.sentAt(now - TTL.toNanos()).remaining()).isZero();
  }
}
