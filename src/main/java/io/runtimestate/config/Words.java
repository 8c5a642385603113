package io.runtimestate.config;

import io.runtimestate.data.Blank;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The lower-case words of an enum, as JSON and the environment write them. */
final class Words {
  private Words() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static <E extends Enum<E>> List<String> all(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(Words::of).toList();
  }

  /** The constant whose word this is; trimmed, ASCII case ignored. */
  static <E extends Enum<E>> Optional<E> find(Class<E> type, String text) {
    String word = lowerAscii(Blank.trim(text));
    return Arrays.stream(type.getEnumConstants()).filter(c -> of(c).equals(word)).findFirst();
  }

  private static String lowerAscii(String text) {
    boolean ascii = text.chars().allMatch(c -> c < 0x80);
    return ascii ? text.toLowerCase(Locale.ROOT) : text;
  }
}
