package io.runtimestate.worker;

/** A failure as a text that can be stored: class and message, well-formed and bounded. */
final class ErrorText {
  private static final int MAX_CHARS = 1_024;
  private static final char REPLACEMENT = '\uFFFD';

  private ErrorText() {}

  static String of(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getName();
    return bounded(message == null ? name : name + ": " + message);
  }

  private static String bounded(String text) {
    StringBuilder bounded = new StringBuilder();
    int at = 0;
    while (at < text.length() && bounded.length() < MAX_CHARS) {
      int codePoint = text.codePointAt(at);
      at += Character.charCount(codePoint);
      boolean lone = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
      bounded.appendCodePoint(lone ? REPLACEMENT : codePoint);
    }
    if (bounded.length() > MAX_CHARS) {
      bounded.setLength(MAX_CHARS - 1); // rather than half of the last character
    }
    return bounded.toString();
  }
}
