package io.runtimestate.config;

import io.runtimestate.data.Blank;

/** Which backend a runtime opens. */
public enum BackendMode {
  /** Redis when {@code redis.url} is set, else memory. */
  AUTO,
  /** The embedded backend. */
  MEMORY,
  /** A Redis or Valkey server; needs {@code redis.url}. */
  REDIS;

  /**
   * Reads a mode: trimmed, ASCII case ignored; an empty text is {@link #AUTO}.
   *
   * @throws io.runtimestate.data.RuntimeStateException INVALID_CONFIGURATION quoting the text and
   *     the three words
   */
  public static BackendMode parse(String text) {
    return Blank.isBlank(text)
        ? AUTO
        : Words.find(BackendMode.class, text)
            .orElseThrow(() -> Rules.unknownMode(text, Words.all(BackendMode.class)));
  }

  /** The lower-case word of this mode. */
  @Override
  public String toString() {
    return Words.of(this);
  }
}
