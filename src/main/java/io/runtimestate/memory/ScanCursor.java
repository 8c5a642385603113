package io.runtimestate.memory;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KeyOperation.Scan;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of a position in a walk: {@code m<epoch>-<position>-<check of the pattern>}, in
 * hexadecimal. A position of an earlier epoch means nothing any more, so the walk starts over.
 */
final class ScanCursor {
  private static final Pattern FORM =
      Pattern.compile("m([0-9a-f]{1,8})-([0-9a-f]{1,16})-([0-9a-f]{1,8})");

  private ScanCursor() {}

  static long read(Scan scan, int epoch) {
    if (scan.cursor().isEmpty()) {
      return 0;
    }
    Matcher cursor = FORM.matcher(scan.cursor().get());
    if (!cursor.matches() || !cursor.group(3).equals(check(scan))) {
      throw new RuntimeStateException(
          FailureCode.INVALID_INPUT, "cursor must come from a page of the same pattern");
    }
    boolean current = Integer.parseUnsignedInt(cursor.group(1), 16) == epoch;
    return current ? Long.parseUnsignedLong(cursor.group(2), 16) : 0;
  }

  static Optional<String> write(Scan scan, int epoch, long position) {
    String text =
        "m" + Integer.toHexString(epoch) + "-" + Long.toHexString(position) + "-" + check(scan);
    return position == 0 ? Optional.empty() : Optional.of(text);
  }

  private static String check(Scan scan) {
    return Integer.toHexString(scan.pattern().hashCode());
  }
}
