package io.runtimestate.redis;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Where a scan goes on: the server process, its own cursor (unsigned 64 bit, hence text), and a
 * check value of the pattern. A cursor of another process means nothing to this one: the walk
 * begins again.
 */
record ScanCursor(String serverId, String position) {
  static final String START = "0";

  private static final Pattern FORM =
      Pattern.compile("([0-9a-zA-Z]{1,64})\\.([0-9]{1,20})\\.([0-9a-f]{1,8})");

  static ScanCursor start() {
    return new ScanCursor("", START);
  }

  /** Reads what {@link #write} wrote for the same pattern; empty for anything else. */
  static Optional<ScanCursor> read(String text, String pattern) {
    Matcher cursor = FORM.matcher(text);
    return cursor.matches() && cursor.group(3).equals(check(pattern)) && isUnsigned(cursor.group(2))
        ? Optional.of(new ScanCursor(cursor.group(1), cursor.group(2)))
        : Optional.empty();
  }

  String write(String pattern) {
    return serverId + "." + position + "." + check(pattern);
  }

  boolean isStart() {
    return position.equals(START);
  }

  private static boolean isUnsigned(String digits) {
    try {
      Long.parseUnsignedLong(digits);
      return true;
    } catch (NumberFormatException tooLarge) {
      return false;
    }
  }

  private static String check(String pattern) {
    CRC32 check = new CRC32();
    check.update(pattern.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(check.getValue());
  }
}
