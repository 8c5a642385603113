package io.runtimestate.config;

import static io.runtimestate.config.Invalid.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPrefixTest {
  @Test
  @DisplayName("C020 white space, then colons are stripped from both ends")
  void prefix_isNormalised() {
    assertThat(new KeyPrefix("  :a:b:  ").text()).isEqualTo("a:b");
    assertThat(new KeyPrefix(null).text()).isEqualTo("rs");
  }

  @Test
  @DisplayName("C021 stripNamespace undoes namespaceKey")
  void namespace_roundTrip() {
    KeyPrefix prefix = new KeyPrefix("app");
    assertThat(prefix.namespaceKey("k")).isEqualTo("app:d:k");
    assertThat(prefix.stripNamespace("app:d:k")).isEqualTo("k");
  }

  @Test
  @DisplayName("C022 a longer prefix is not stripped by a shorter one")
  void stripNamespace_leavesOthers() {
    String physical = "application:d:item";
    assertThat(new KeyPrefix("app").stripNamespace(physical)).isEqualTo(physical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "::"})
  @DisplayName("C023 a prefix without text is refused")
  void prefix_mustNotBeEmpty(String prefix) {
    assertRefused(prefix);
  }

  @Test
  @DisplayName("C023 a text that only looks namespaced stays as it is")
  void stripNamespace_leavesColon() {
    assertThat(new KeyPrefix(null).stripNamespace(":x")).isEqualTo(":x");
  }

  static String[] refused() {
    return new String[] {
      "a{b}",
      "a*",
      "a?",
      "a[b",
      "a\\b",
      "a b",
      "a".repeat(129),
      "ä".repeat(65),
      "a:d",
      "a:rl:x",
      "a:ul",
      "a:lk",
      "a:fn",
      "a::sm",
      "a\u0000b",
      "a\u007Fb",
      "a\u2003b",
      "a\uD800",
      ": a :"
    };
  }

  @ParameterizedTest
  @MethodSource("refused")
  @DisplayName("C028 prefixes that could reach into other keys are refused")
  void prefix_isRefused(String prefix) {
    assertRefused(prefix);
  }

  @ParameterizedTest
  @ValueSource(strings = {"my-app.v1", "d", "a::b", "ä", "d:x", "a:dd", "a\uD83D\uDE00"})
  @DisplayName("C028 prefixes that cannot are accepted")
  void prefix_isAccepted(String prefix) {
    assertThat(new RuntimeStateOptions().setKeyPrefix(prefix).validate().effectiveKeyPrefix())
        .isEqualTo(new KeyPrefix(prefix))
        .returns(prefix, KeyPrefix::text);
  }

  @Test
  void prefix_mayHave128Bytes() {
    assertThat(new KeyPrefix("ä".repeat(64)).text()).hasSize(64);
  }

  @Test
  void toString_showsTheLengthOnly() {
    assertThat(new KeyPrefix("secret")).hasToString("KeyPrefix(6 characters)");
  }

  private static void assertRefused(String prefix) {
    assertInvalid(() -> new RuntimeStateOptions().setKeyPrefix(prefix).validate())
        .startsWith("keyPrefix must ");
  }
}
