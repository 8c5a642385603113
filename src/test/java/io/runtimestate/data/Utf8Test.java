package io.runtimestate.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class Utf8Test {
  private static final int[] EDGES = {
    0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF
  };

  @Test
  @DisplayName("length is the number of encoded bytes")
  void length_asEncoded() {
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint += 7) {
      if (!isSurrogate(codePoint)) {
        assertLength(Character.toString(codePoint));
      }
    }
    texts(2_000).forEach(Utf8Test::assertLength);
    assertThat(Utf8.length("")).isZero();
  }

  private static void assertLength(String text) {
    assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  @DisplayName("an unpaired surrogate anywhere has no length")
  void length_unpaired() {
    List<String> bad =
        List.of("\uD800", "\uDC00", "\uDC00\uD800", "a\uD83D", "\uDE00a", "\uD83D\uD83D\uDE00");
    bad.forEach(text -> assertThat(Utf8.length(text)).as(text).isEqualTo(-1));
    assertThat(Utf8.length("\uD83D\uDE00")).isEqualTo(4);
  }

  @Test
  @DisplayName("0.4.3 order is that of the encoded bytes, unsigned")
  void compare_asEncoded() {
    List<String> texts = texts(300);
    for (int edge : EDGES) {
      texts.add(Character.toString(edge));
      texts.add("a" + Character.toString(edge));
    }
    for (String a : texts) {
      for (String b : texts) {
        int expected = Arrays.compareUnsigned(bytes(a), bytes(b));
        assertThat(Integer.signum(Utf8.BYTE_ORDER.compare(a, b)))
            .isEqualTo(Integer.signum(expected));
      }
    }
    assertThat(Utf8.compare("\uFFFF", "\uD83D\uDE00")).isNegative();
    assertThat("\uFFFF".compareTo("\uD83D\uDE00")).isPositive();
  }

  private static List<String> texts(int count) {
    Random random = new Random(1);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(6);
      for (int at = 0; at < length; at++) {
        text.appendCodePoint(codePoint(random));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  private static int codePoint(Random random) {
    int codePoint = random.nextInt(EDGES[random.nextInt(EDGES.length)] + 1);
    return isSurrogate(codePoint) ? 'x' : codePoint;
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
