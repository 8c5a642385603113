package io.runtimestate.data;

import java.util.Comparator;

/**
 * Text as the stores see it: length and order in UTF-8 bytes, without encoding anything.
 *
 * <p>Byte order (unsigned) is the order of code points. {@link String#compareTo} differs from it
 * above U+FFFF, where surrogates sort below U+E000..U+FFFF, and is therefore never used for
 * results.
 */
public final class Utf8 {
  /** Orders texts by their UTF-8 bytes, unsigned. */
  public static final Comparator<String> BYTE_ORDER = Utf8::compare;

  private Utf8() {}

  /** The number of UTF-8 bytes of a text, or -1 if it holds an unpaired surrogate. */
  public static int length(String text) {
    int chars = text.length();
    int bytes = chars;
    for (int i = 0; i < chars; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        bytes += c < 0x800 ? 1 : 2;
        if (Character.isSurrogate(c)) {
          if (!isPair(text, i)) {
            return -1;
          }
          i++;
        }
      }
    }
    return bytes;
  }

  /** Compares two texts by their UTF-8 bytes, unsigned. */
  public static int compare(String a, String b) {
    int shared = Math.min(a.length(), b.length());
    for (int i = 0; i < shared; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return inByteOrder(x) - inByteOrder(y);
      }
    }
    return a.length() - b.length();
  }

  /** Moves surrogates above the rest of the plane, where their code points belong. */
  private static int inByteOrder(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }

  private static boolean isPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1));
  }
}
