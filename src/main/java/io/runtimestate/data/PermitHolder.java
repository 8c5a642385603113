package io.runtimestate.data;

import java.time.Duration;

/**
 * A permit that is held.
 *
 * @param token its identity
 * @param remaining until its lease ends, at least 1 ms
 */
public record PermitHolder(String token, Duration remaining) {
  @Override
  public String toString() {
    return "PermitHolder";
  }
}
