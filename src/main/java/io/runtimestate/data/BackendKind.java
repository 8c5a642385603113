package io.runtimestate.data;

/** Where the state lives. */
public enum BackendKind {
  /** In this process, in tables owned by one event loop. */
  MEMORY,
  /** In a Redis or Valkey server. */
  REDIS;

  /** The lower-case word used in options, metrics and JSON. */
  public String word() {
    return this == MEMORY ? "memory" : "redis";
  }
}
