package io.runtimestate.config;

/** What of a text may be shown. */
final class Texts {
  private static final int SHOWN = 512;

  private Texts() {}

  /** What is shown instead of a text that may be a secret. */
  static String lengthOf(String text) {
    return "(" + (text == null ? 0 : text.length()) + " characters)";
  }

  /** Cuts what is shown, so that a long option cannot flood a log. */
  static String cut(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 1) + "…";
  }
}
