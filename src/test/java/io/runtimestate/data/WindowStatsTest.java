package io.runtimestate.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowStatsTest {
  private static final String MAX = "18446744073709551615";

  @Test
  @DisplayName("C182 members count by the number after their last colon")
  void fromMembers_grammar() {
    List<String> members =
        List.of(
            "boundary:7",
            "recent:9007199254740993",
            "nested:prefix:+00012",
            "zero:0",
            "none",
            "bad:",
            "bad:-1",
            "bad:1.5",
            "bad:18446744073709551616");
    assertThat(WindowStats.fromMembers(members))
        .isEqualTo(new WindowStats(BigInteger.valueOf(9_007_199_254_741_012L), 3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "7",
        ":+",
        ":++7",
        ":7+",
        ": 7",
        ":7 ",
        ":٧",
        ":0x7",
        ":1e3",
        ":-0",
        "7:",
        "1:2:",
        ":99999999999999999999",
        ":184467440737095516150",
        ":７"
      })
  void fromMembers_noNumber(String member) {
    assertThat(WindowStats.fromMembers(List.of(member))).isEqualTo(WindowStats.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(strings = {":7", "x:+7", "::007", "a:b:0000000000000000000000000000007"})
  void fromMembers_seven(String member) {
    assertThat(WindowStats.fromMembers(List.of(member)))
        .isEqualTo(new WindowStats(BigInteger.valueOf(7), 1));
  }

  @Test
  void fromMembers_saturates() {
    assertThat(WindowStats.fromMembers(List.of("a:" + MAX)).sum()).isEqualTo(new BigInteger(MAX));
    assertThat(WindowStats.fromMembers(List.of("a:" + MAX, "b:0", "c:1", "d:" + MAX)))
        .isEqualTo(new WindowStats(new BigInteger(MAX), 3));
    assertThat(WindowStats.fromMembers(Collections.nCopies(600, "a:" + MAX)).sum())
        .isEqualTo(new BigInteger(MAX));
  }
}
