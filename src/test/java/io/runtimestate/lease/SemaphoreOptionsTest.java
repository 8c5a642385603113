package io.runtimestate.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SemaphoreOptionsTest {
  private static SemaphoreOptions valid() {
    return new SemaphoreOptions("g", 1);
  }

  private static void assertRefused(SemaphoreOptions options, String named) {
    RuntimeStateException refused =
        catchThrowableOfType(RuntimeStateException.class, options::validate);
    assertThat(refused.code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
    assertThat(refused).hasMessageContaining(named);
  }

  @Test
  @DisplayName("C406 a blank resource is refused, also behind its admission prefix")
  void resource() {
    for (String blank : List.of("", " ", "\u2003", "admission:g:", " admission:g: ")) {
      assertRefused(valid().setResource(blank), "resource");
    }
    for (String same : List.of("r", " r\t", "admission:g:r", " admission:g:r ")) {
      assertThat(valid().setResource(same).validate().getResource()).isEqualTo("r");
    }
    assertThat(valid().setResource("admission:x:r").validate().getResource())
        .isEqualTo("admission:x:r");
    assertThat(valid().validate().getResource()).isNull();
  }

  @Test
  @DisplayName("11.2 gate, limit and durations have their rules")
  void rules() {
    assertRefused(valid().setGate(" "), "gate");
    assertRefused(valid().setGate(null), "gate");
    assertRefused(valid().setLimit(0), "limit");
    assertRefused(valid().setLimit(-1), "limit");
    assertRefused(valid().setLeaseTtl(Duration.ZERO), "leaseTtl");
    assertRefused(valid().setLeaseTtl(Duration.ofMillis(-1)), "leaseTtl");
    assertRefused(valid().setLeaseTtl(null), "leaseTtl");
    assertRefused(valid().setRenewInterval(Duration.ofMillis(-1)), "renewInterval");
    assertRefused(valid().setRenewInterval(Duration.ZERO), "renewInterval");
    assertRefused(valid().setCommandTimeout(Duration.ZERO), "commandTimeout");
    assertRefused(valid().setLeaseTtl(Duration.ofDays(40_000)), "leaseTtl");
    assertRefused(valid().setLeaseTtl(Duration.ofSeconds(10)), "renewInterval");
    assertRefused(
        valid().setLeaseTtl(Duration.ofNanos(900_000)).setRenewInterval(Duration.ofNanos(1)),
        "renewInterval");
    SemaphoreOptions options = valid().validate();
    assertThat(options.getLeaseTtl()).isEqualTo(Duration.ofSeconds(30));
    assertThat(options.getRenewInterval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options).hasToString("SemaphoreOptions");
  }

  @Test
  @DisplayName("C416 a snapshot is four samples, labelled resource only when keyed")
  void samples() {
    SemaphoreSnapshot keyed = new SemaphoreSnapshot("g", Optional.of("r"), 3, 2, 1, 2, 4);
    assertThat(keyed.samples())
        .extracting(Sample::name)
        .containsExactly(
            "concurrency_in_flight",
            "concurrency_available_permits",
            "concurrency_high_watermark",
            "concurrency_rejected_total");
    assertThat(keyed.samples())
        .extracting(Sample::kind)
        .containsExactly(
            Sample.Kind.GAUGE, Sample.Kind.GAUGE, Sample.Kind.GAUGE, Sample.Kind.COUNTER);
    assertThat(keyed.samples()).extracting(Sample::value).containsExactly(2L, 1L, 2L, 4L);
    assertThat(keyed.samples().get(0).labels()).containsOnlyKeys("gate", "resource");
    SemaphoreSnapshot plain = new SemaphoreSnapshot("g", Optional.empty(), 3, 2, 1, 2, 4);
    assertThat(plain.samples().get(0).labels()).containsOnlyKeys("gate");
  }
}
