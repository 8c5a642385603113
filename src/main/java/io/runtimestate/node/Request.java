package io.runtimestate.node;

/**
 * One line of a request log.
 *
 * @param line its number in the file, the header being 1
 */
record Request(
    long line,
    long epochSeconds,
    String client,
    String method,
    String path,
    int status,
    long bytes) {
  private static final int COLUMNS = 6;

  static Request parse(long line, String text) {
    String[] columns = text.split("\t", -1);
    if (columns.length != COLUMNS) {
      throw atLine(line, COLUMNS + " columns expected, " + columns.length + " found");
    }
    return new Request(
        line,
        number(line, "epoch_seconds", columns[0]),
        word(line, "client", columns[1]),
        word(line, "method", columns[2]),
        word(line, "path", columns[3]),
        (int) Math.min(Integer.MAX_VALUE, number(line, "status", columns[4])),
        number(line, "bytes", columns[5]));
  }

  private static long number(long line, String column, String text) {
    if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(Request::isDigit)) {
      throw atLine(line, column + " must be a decimal number");
    }
    return Long.parseLong(text);
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  private static String word(long line, String column, String text) {
    if (text.isEmpty()) {
      throw atLine(line, column + " is empty");
    }
    return text;
  }

  /** A failure that names the line. */
  static NodeFailure atLine(long line, String what) {
    return new NodeFailure("line " + line + ": " + what);
  }
}
