package io.runtimestate.config;

/** The protocol spoken with the server. */
public enum RedisProtocol {
  /** RESP3, falling back to RESP2 when the server refuses HELLO for any reason. */
  AUTO,
  /** RESP2 only; HELLO is never sent. */
  RESP2,
  /** RESP3 only. */
  RESP3;

  /** The lower-case word used in JSON. */
  @Override
  public String toString() {
    return Words.of(this);
  }
}
