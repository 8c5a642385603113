package io.runtimestate.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The small rules everything else is built on. */
class RulesTest {
  private static final int UNICODE_FROM = 0x10000;

  @Test
  @DisplayName("C042 durations are rounded up to milliseconds, at most 36 525 days")
  void durations_roundedUp() {
    assertThat(Durations.roundUp(Duration.ZERO)).isZero();
    assertThat(Durations.roundUp(Duration.ofNanos(1))).hasMillis(1);
    assertThat(Durations.roundUp(Duration.ofNanos(999_999))).hasMillis(1);
    assertThat(Durations.roundUp(Duration.ofMillis(1))).hasMillis(1);
    assertThat(Durations.roundUp(Duration.ofNanos(1_000_001))).hasMillis(2);
    assertThat(Durations.roundUp(Duration.ofSeconds(1).minusNanos(1))).hasMillis(1_000);
    assertThat(Durations.roundUp(Duration.ofDays(36_525))).hasMillis(3_155_760_000_000L);
    assertThat(Durations.roundUp(Duration.ofDays(36_525).minusNanos(1)))
        .hasMillis(3_155_760_000_000L);
  }

  @Test
  @DisplayName("C042 G03 negative and too long durations are refused without overflow")
  void durations_refused() {
    List<Duration> negative =
        List.of(Duration.ofNanos(-1), Duration.ofMillis(-1), Duration.ofSeconds(Long.MIN_VALUE));
    negative.forEach(duration -> assertRefused(duration, "must not be negative"));
    List<Duration> tooLong =
        List.of(
            Duration.ofDays(36_525).plusMillis(1),
            Duration.ofDays(36_525).plusNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    tooLong.forEach(duration -> assertRefused(duration, "must be at most 36525 days"));
  }

  private static void assertRefused(Duration duration, String rule) {
    assertThatThrownBy(() -> Durations.roundUp(duration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(rule);
  }

  @Test
  @DisplayName("C043 blank is nothing but White_Space")
  void blank_isWhiteSpace() {
    List.of("", " ", "\u00A0", "\u2003", "\u3000", "\t\r\n\u2028")
        .forEach(text -> assertThat(Blank.isBlank(text)).isTrue());
    List.of("\u200B", "a ", "\uFEFF", "\0", "\u180E", "\uD83D\uDE00")
        .forEach(text -> assertThat(Blank.isBlank(text)).isFalse());
  }

  @Test
  @DisplayName("0.4.2 exactly these 25 characters are White_Space")
  void whiteSpace_exact() {
    Set<Integer> expected =
        IntStream.of(
                9, 10, 11, 12, 13, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
                0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
                0x3000)
            .boxed()
            .collect(Collectors.toSet());
    Set<Integer> found =
        IntStream.range(0, UNICODE_FROM)
            .filter(Blank::isWhiteSpace)
            .boxed()
            .collect(Collectors.toSet());
    assertThat(found).isEqualTo(expected);
  }

  @Test
  @DisplayName("trim takes White_Space off both ends and nothing else")
  void trim_ends() {
    assertThat(Blank.trim("\u3000 a \u00A0b\u200B \n")).isEqualTo("a \u00A0b\u200B");
    assertThat(Blank.trim(" \t")).isEmpty();
    assertThat(Blank.trim("")).isEmpty();
  }

  @Test
  @DisplayName("C019 failure codes have their numbers for ever")
  void failureCodes_numbers() {
    assertThat(Arrays.stream(FailureCode.values()).map(Enum::name))
        .containsExactly(
            "INVALID_CONFIGURATION",
            "INVALID_INPUT",
            "WRONG_TYPE",
            "NO_SUCH_STREAM",
            "NO_SUCH_GROUP",
            "CROSS_SLOT",
            "CAPACITY_EXHAUSTED",
            "UNAVAILABLE",
            "TIMED_OUT",
            "OVERLOADED",
            "UNEXPECTED_REPLY",
            "CLOSED",
            "LEASE_LOST",
            "INTERNAL");
    for (FailureCode code : FailureCode.values()) {
      assertThat(code.number()).isEqualTo(1001 + code.ordinal());
      assertThat(FailureCode.ofNumber(code.number())).isEqualTo(code);
    }
    for (int unknown : new int[] {0, -1, 1000, 1015, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThat(FailureCode.ofNumber(unknown)).isEqualTo(FailureCode.INTERNAL);
    }
  }

  @Test
  @DisplayName("C019 exactly four codes are retryable")
  void failureCodes_retryable() {
    assertThat(Arrays.stream(FailureCode.values()).filter(FailureCode::isRetryable))
        .containsExactly(
            FailureCode.CAPACITY_EXHAUSTED,
            FailureCode.UNAVAILABLE,
            FailureCode.TIMED_OUT,
            FailureCode.OVERLOADED);
  }

  @Test
  @DisplayName("0.8.4 the message tells that a write may have been applied, once, and back")
  void exception_suffix() {
    RuntimeStateException flagged =
        new RuntimeStateException(FailureCode.TIMED_OUT, "kv.set: late", true, null);
    assertThat(flagged.getMessage()).isEqualTo("kv.set: late [may have been applied]");
    RuntimeStateException again =
        RuntimeStateException.ofNumber(FailureCode.TIMED_OUT.number(), flagged.getMessage());
    assertThat(again).hasMessage(flagged.getMessage());
    assertThat(again.mayHaveBeenApplied()).isTrue();
    assertThat(again.isRetryable()).isTrue();
    assertThat(RuntimeStateException.ofNumber(1012, "x").mayHaveBeenApplied()).isFalse();
    assertThat(RuntimeStateException.ofNumber(1, null).code()).isEqualTo(FailureCode.INTERNAL);
  }

  @Test
  @DisplayName("0.7 only defects carry a stack")
  void exception_stack() {
    assertThat(new RuntimeStateException(FailureCode.CLOSED, "x").getStackTrace()).isEmpty();
    assertThat(new RuntimeStateException(FailureCode.INTERNAL, "x").getStackTrace()).isNotEmpty();
  }
}
