package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanCursorTest {
  @Test
  void comesBackAsItWas() {
    var cursor = new ScanCursor(5461, "0af3", "18446744073709551615");
    assertThat(ScanCursor.read(cursor.write("a*"), "a*")).contains(cursor);
  }

  @Test
  void belongsToOnePattern() {
    String text = new ScanCursor(0, "0af3", "17").write("a*");
    assertThat(ScanCursor.read(text, "b*")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "garbage", "0", "0.a.18446744073709551616.0", "0.a.-1.0", "0.a.1.0\n"})
  void anythingElseIsNone(String text) {
    assertThat(ScanCursor.read(text, "")).isEmpty();
  }
}
