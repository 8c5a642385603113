package io.runtimestate.config;

import io.runtimestate.data.Blank;
import io.runtimestate.data.Utf8;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The beginning of every physical key of a store. Building one normalises and checks the text, so a
 * prefix that exists is valid: null means {@link #DEFAULT}; otherwise White_Space and then all
 * {@code :} are stripped from both ends.
 *
 * <p>Two stores with different prefixes never share a key. That is why a {@code :}-separated
 * segment after the first must not be the name of a key family: prefix {@code a:d} would write into
 * the data keys of prefix {@code a}.
 *
 * @param text the normalised prefix: 1 to {@value #MAX_BYTES} UTF-8 bytes, none of the characters
 *     <code>{ } * ? [ ] \</code>, no White_Space, control character or unpaired surrogate
 */
public record KeyPrefix(String text) {
  /** The prefix of options that name none. */
  public static final String DEFAULT = "rs";

  /** The longest prefix, in UTF-8 bytes. */
  public static final int MAX_BYTES = 128;

  private static final String FORBIDDEN = "{}*?[]\\";
  private static final Set<String> FAMILIES = Set.of("d", "rl", "ul", "lk", "fn", "sm");

  /**
   * Normalises and checks.
   *
   * @throws io.runtimestate.data.RuntimeStateException INVALID_CONFIGURATION naming the rule; the
   *     text is never shown
   */
  public KeyPrefix {
    text = text == null ? DEFAULT : stripColons(Blank.trim(text));
    requireLength(text);
    requireCharacters(text);
    requireNoFamily(Arrays.asList(text.split(":", -1)));
  }

  /** The physical key of a data key: {@code <prefix>:d:<raw>}. For diagnostics only. */
  public String namespaceKey(String raw) {
    return dataStart() + raw;
  }

  /**
   * Undoes {@link #namespaceKey}: removes exactly that beginning when it is there, else returns the
   * text unchanged.
   */
  public String stripNamespace(String physical) {
    return physical.startsWith(dataStart()) ? physical.substring(dataStart().length()) : physical;
  }

  /** The length only: a prefix may name a customer. */
  @Override
  public String toString() {
    return "KeyPrefix" + Texts.lengthOf(text);
  }

  private String dataStart() {
    return text + ":d:";
  }

  private static String stripColons(String text) {
    int[] kept = IntStream.range(0, text.length()).filter(i -> text.charAt(i) != ':').toArray();
    return kept.length == 0 ? "" : text.substring(kept[0], kept[kept.length - 1] + 1);
  }

  private static void requireLength(String text) {
    int bytes = Utf8.length(text);
    if (bytes < 0) {
      throw Rules.badPrefix("must not contain an unpaired surrogate");
    }
    if (bytes == 0 || bytes > MAX_BYTES) {
      throw Rules.badPrefix("must have 1 to " + MAX_BYTES + " UTF-8 bytes");
    }
  }

  private static void requireCharacters(String text) {
    if (text.codePoints().anyMatch(KeyPrefix::isForbidden)) {
      throw Rules.badPrefix("must not contain { } * ? [ ] \\, white space or control characters");
    }
  }

  private static boolean isForbidden(int c) {
    return FORBIDDEN.indexOf(c) >= 0 || Blank.isWhiteSpace(c) || Character.isISOControl(c);
  }

  private static void requireNoFamily(List<String> segments) {
    if (segments.stream().skip(1).anyMatch(FAMILIES::contains)) {
      throw Rules.badPrefix("must not have d, rl, ul, lk, fn or sm as a segment after the first");
    }
  }
}
