package io.runtimestate.data;

/** What counts as blank: nothing but Unicode White_Space. */
public final class Blank {
  private Blank() {}

  /** Whether a text is empty or only White_Space. */
  public static boolean isBlank(String text) {
    int at = 0;
    while (at < text.length() && isWhiteSpace(text.charAt(at))) { // none is a surrogate
      at++;
    }
    return at == text.length();
  }

  /** The text without leading and trailing White_Space. */
  public static String trim(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isWhiteSpace(text.charAt(from))) {
      from++;
    }
    while (to > from && isWhiteSpace(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  /** The Unicode property White_Space; {@link Character#isWhitespace} leaves some of it out. */
  public static boolean isWhiteSpace(int codePoint) {
    return switch (codePoint) {
      case 0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000 -> true;
      default ->
          codePoint >= 0x09 && codePoint <= 0x0D || codePoint >= 0x2000 && codePoint <= 0x200A;
    };
  }
}
