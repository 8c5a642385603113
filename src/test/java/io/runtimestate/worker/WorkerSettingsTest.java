package io.runtimestate.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkerSettingsTest {

  private static QueueWorkerOptions valid() {
    return new QueueWorkerOptions("stream", "group", "consumer");
  }

  @Test
  @DisplayName("C362 an option that breaks its rule is named")
  void of_invalid() {
    assertInvalid(o -> o.setMaxDeliveries(3), "maxDeliveries");
    assertInvalid(o -> o.setDeadLetterStream("stream"), "deadLetterStream");
    assertInvalid(o -> o.setRetryDelayMax(Duration.ofSeconds(59)), "retryDelayMax");
    assertInvalid(o -> o.setConcurrency(0), "concurrency");
    assertInvalid(o -> o.setConcurrency(10_001), "concurrency");
    assertInvalid(o -> o.setConsumer(" \u2003"), "consumer");
    assertInvalid(o -> o.setStream(null), "stream");
    assertInvalid(o -> o.setGroup(""), "group");
    assertInvalid(o -> o.setGroupStart("abc"), "groupStart");
    assertInvalid(o -> o.setBatch(0), "batch");
    assertInvalid(o -> o.setBlock(Duration.ZERO), "block");
    assertInvalid(o -> o.setBlock(null), "block");
    assertInvalid(o -> o.setMinIdle(Duration.ofDays(3_651)), "minIdle");
    assertInvalid(o -> o.setReclaimInterval(Duration.ZERO), "reclaimInterval");
    assertInvalid(o -> o.setHandlerTimeout(Duration.ofMillis(-1)), "handlerTimeout");
    assertInvalid(o -> o.setConsumerTtl(Duration.ofDays(40_000)), "consumerTtl");
    assertInvalid(o -> o.setDeadLetterStream("d").setMaxDeliveries(0), "maxDeliveries");
    assertInvalid(o -> o.setDeadLetterStream("d").setDeadLetterMaxLen(0L), "deadLetterMaxLen");
    assertInvalid(o -> o.setDrainTimeout(Duration.ofMillis(-1)), "drainTimeout");
  }

  private static void assertInvalid(Consumer<QueueWorkerOptions> breaking, String option) {
    QueueWorkerOptions options = valid();
    breaking.accept(options);
    RuntimeStateException failure =
        catchThrowableOfType(RuntimeStateException.class, () -> WorkerSettings.of(options));
    assertThat(failure.code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
    assertThat(failure.getMessage()).contains(option + " ");
  }

  @Test
  void of_defaults() {
    WorkerSettings settings = WorkerSettings.of(valid());
    assertThat(settings.reclaimInterval()).isEqualTo(30_000);
    assertThat(settings.retryDelayMax()).isEqualTo(600_000);
    assertThat(settings.maxDeliveries()).isEmpty();
    assertThat(reclaimIntervalFor(Duration.ofMillis(50))).isEqualTo(100);
    assertThat(reclaimIntervalFor(Duration.ofSeconds(10))).isEqualTo(5_000);
    assertThat(reclaimIntervalFor(Duration.ofHours(10))).isEqualTo(30_000);
    assertThat(WorkerSettings.of(valid().setDeadLetterStream("d")).maxDeliveries())
        .isEqualTo(OptionalInt.of(5));
  }

  private static long reclaimIntervalFor(Duration minIdle) {
    return WorkerSettings.of(valid().setMinIdle(minIdle)).reclaimInterval();
  }

  @Test
  void retryDelay_doublesUpToItsBound() {
    WorkerSettings settings = WorkerSettings.of(valid().setMinIdle(Duration.ofMillis(100)));
    assertThat(List.of(0L, 1L, 2L, 3L, 4L, 5L, 60L, Long.MAX_VALUE))
        .map(settings::retryDelay)
        .containsExactly(100L, 100L, 200L, 400L, 800L, 1_000L, 1_000L, 1_000L);
    WorkerSettings longest = WorkerSettings.of(valid().setMinIdle(Duration.ofDays(3_650)));
    for (long count = 1; count < 100; count++) {
      assertThat(longest.retryDelay(count))
          .isBetween(Duration.ofDays(3_650).toMillis(), Duration.ofDays(36_500).toMillis());
    }
  }

  @Test
  void options_surviveACopy() throws ReflectiveOperationException {
    QueueWorkerOptions options =
        new QueueWorkerOptions("s", "g", "c")
            .setGroupStart("$")
            .setConcurrency(2)
            .setBatch(3)
            .setBlock(Duration.ofMillis(4))
            .setMinIdle(Duration.ofMillis(5))
            .setReclaimInterval(Duration.ofMillis(6))
            .setHandlerTimeout(Duration.ofMillis(7))
            .setRetryDelayMax(Duration.ofMillis(8))
            .setConsumerTtl(Duration.ofMillis(9))
            .setDeleteAfterAck(false)
            .setDeadLetterStream("d")
            .setMaxDeliveries(10)
            .setDeadLetterMaxLen(11L)
            .setDrainTimeout(Duration.ofMillis(12));
    QueueWorkerOptions copy = new QueueWorkerOptions(options);
    QueueWorkerOptions fresh = valid();
    List<Method> getters =
        Arrays.stream(QueueWorkerOptions.class.getMethods())
            .filter(method -> method.getName().matches("(get|is)[A-Z].*"))
            .filter(method -> !method.getName().equals("getClass"))
            .toList();
    assertThat(getters).hasSize(17);
    for (Method getter : getters) {
      assertThat(getter.invoke(copy)).as(getter.getName()).isEqualTo(getter.invoke(options));
      assertThat(getter.invoke(copy)).as(getter.getName()).isNotEqualTo(getter.invoke(fresh));
    }
  }
}
