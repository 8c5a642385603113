package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdmissionTest {
  private final LaneMeter meter = new LaneMeter(LaneKind.FAST);

  @Test
  void boundsCommands() {
    var admission = new Admission(2, 1_000, meter);
    assertThat(admission.enter(1)).isEmpty();
    assertThat(admission.enter(1)).isEmpty();
    assertThat(admission.enter(1)).contains("redis.maxPendingCommands is 2, in use 2");
    admission.leave(1);
    assertThat(admission.enter(1)).isEmpty();
    assertThat(meter.diagnostics().pending()).isEqualTo(2);
  }

  @Test
  void boundsBytesButTakesOneOfAnySizeWhenIdle() {
    var admission = new Admission(10, 100, meter);
    assertThat(admission.enter(5_000)).isEmpty();
    assertThat(admission.enter(1)).contains("redis.maxPendingBytes is 100, in use 5000");
    admission.leave(5_000);
    assertThat(admission.isEmpty()).isTrue();
    assertThat(admission.enter(60)).isEmpty();
    assertThat(admission.enter(41)).isPresent();
    assertThat(admission.enter(40)).isEmpty();
  }
}
