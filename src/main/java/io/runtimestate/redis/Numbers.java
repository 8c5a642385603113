package io.runtimestate.redis;

/** Integers of a text, separated by single spaces. */
final class Numbers {
  private final String text;
  private int at;

  Numbers(String text) {
    this.text = text;
  }

  /**
   * @throws IllegalArgumentException if there is none left, or none
   */
  long next() {
    int end = text.indexOf(' ', at);
    end = end < 0 ? text.length() : end;
    if (at >= end) {
      throw new IllegalArgumentException("no number");
    }
    long number = Long.parseLong(text, at, end, 10);
    at = end + 1;
    return number;
  }
}
