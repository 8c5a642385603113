package io.runtimestate.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HashSlotsTest {
  @Test
  void agreesWithTheServer() {
    assertThat(HashSlots.of("123456789")).isEqualTo(12_739);
    assertThat(HashSlots.of("foo")).isEqualTo(12_182);
    assertThat(HashSlots.of("")).isZero();
  }

  @Test
  void onlyTheFirstTagThatIsNotEmptyCounts() {
    assertThat(HashSlots.of("rs:d:{user1000}.following")).isEqualTo(HashSlots.of("user1000"));
    assertThat(HashSlots.of("a{b}{c}")).isEqualTo(HashSlots.of("b"));
    assertThat(HashSlots.of("{{x}}")).isEqualTo(HashSlots.of("{x"));
  }

  @Test
  void bracesWithoutATagMeanTheWholeKey() {
    for (String key : new String[] {"{a", "a}", "}{", "{}", "{}{b}"}) {
      assertThat(HashSlots.of(key)).as(key).isNotEqualTo(HashSlots.of("b"));
    }
    assertThat(HashSlots.of("{}{b}")).isNotEqualTo(HashSlots.of("{}{c}"));
  }
}
