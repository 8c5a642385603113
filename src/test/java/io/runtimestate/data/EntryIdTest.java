package io.runtimestate.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryIdTest {
  private static final String MAX = "18446744073709551615";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1-",
        "-1",
        "-1-0",
        "+1-0",
        "01-0",
        "1-00",
        "1-+0",
        "1-0x",
        "1-0-0",
        " 1-0",
        "1-0 ",
        "\u0661-0",
        "1-\u0661",
        "18446744073709551616-0",
        "0-18446744073709551616",
        "99999999999999999999-0",
        "111111111111111111111-0",
        "$",
        "abc"
      })
  void parse_refusesWhatIsNotCanonical(String text) {
    assertThat(EntryId.parse(text)).isNull();
  }

  @Test
  void parse_keepsBothHalvesExact() {
    assertThat(EntryId.parse(MAX + "-" + MAX)).isEqualTo(EntryId.LAST);
    assertThat(EntryId.parse("0-0")).isEqualTo(EntryId.ZERO);
    assertThat(EntryId.LAST).hasToString(MAX + "-" + MAX);
    assertThat(EntryId.parse("9007199254740993-9223372036854775808"))
        .hasToString("9007199254740993-9223372036854775808");
  }

  @Test
  void parseStart_acceptsTheFirstHalfAlone() {
    assertThat(EntryId.parseStart("5")).isEqualTo(new EntryId(5, 0));
    assertThat(EntryId.parseStart("0")).isEqualTo(EntryId.ZERO);
    assertThat(EntryId.parseStart("5-7")).isEqualTo(new EntryId(5, 7));
    assertThat(EntryId.parseStart("05")).isNull();
    assertThat(EntryId.parseStart("")).isNull();
  }

  @Test
  void compareTo_isNumericAndUnsigned() {
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      EntryId a = new EntryId(half(random), half(random));
      EntryId b = new EntryId(half(random), half(random));
      assertThat(Integer.signum(a.compareTo(b))).isEqualTo(number(a).compareTo(number(b)));
      assertThat(EntryId.parse(a.toString())).isEqualTo(a);
      if (!a.equals(EntryId.LAST)) {
        assertThat(number(a.next())).isEqualTo(number(a).add(BigInteger.ONE));
      }
    }
  }

  private static long half(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(3);
      case 1 -> -1 - random.nextInt(3);
      default -> random.nextLong();
    };
  }

  private static BigInteger number(EntryId id) {
    return new BigInteger(Long.toUnsignedString(id.millis()))
        .shiftLeft(64)
        .add(new BigInteger(Long.toUnsignedString(id.sequence())));
  }
}
