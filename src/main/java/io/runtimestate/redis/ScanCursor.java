package io.runtimestate.redis;

import io.runtimestate.spi.HashSlots;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Where a scan goes on: a slot of the server, its process, its own cursor (unsigned 64 bit, hence
 * text), and a check value of the pattern. A cursor of another process means nothing to this one:
 * its walk begins again. Servers are walked in the order of their slots, which stays the same when
 * another process takes over.
 *
 * @param serverId empty as long as the server has not been asked
 */
record ScanCursor(int slot, String serverId, String position) {
  static final String START = "0";

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,5})\\.([0-9a-zA-Z]{0,64})\\.([0-9]{1,20})\\.([0-9a-f]{1,8})");

  static ScanCursor start() {
    return startOf(0);
  }

  static ScanCursor startOf(int slot) {
    return new ScanCursor(slot, "", START);
  }

  /** Reads what {@link #write} wrote for the same pattern; empty for anything else. */
  static Optional<ScanCursor> read(String text, String pattern) {
    Matcher cursor = FORM.matcher(text);
    return cursor.matches() && cursor.group(4).equals(check(pattern)) && isUnsigned(cursor.group(3))
        ? Optional.of(read(cursor))
        : Optional.empty();
  }

  private static ScanCursor read(Matcher cursor) {
    int slot = Integer.parseInt(cursor.group(1)) % HashSlots.COUNT;
    return new ScanCursor(slot, cursor.group(2), cursor.group(3));
  }

  String write(String pattern) {
    return slot + "." + serverId + "." + position + "." + check(pattern);
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
