package io.runtimestate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.Utf8;
import org.junit.jupiter.api.Test;

class ErrorTextTest {
  @Test
  void of_namesClassAndMessage() {
    assertThat(ErrorText.of(new IllegalStateException("broken")))
        .isEqualTo("java.lang.IllegalStateException: broken");
    assertThat(ErrorText.of(new IllegalStateException()))
        .isEqualTo("java.lang.IllegalStateException");
  }

  @Test
  void of_isBoundedAndWellFormed() {
    for (int padding = 0; padding < 3; padding++) {
      String text =
          ErrorText.of(new Error("x".repeat(padding) + "\uD800y" + "\uD83D\uDE00".repeat(2_000)));
      assertThat(text).hasSizeLessThanOrEqualTo(1_024).hasSizeGreaterThan(1_020);
      assertThat(Utf8.length(text)).isPositive();
    }
  }
}
