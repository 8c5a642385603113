package io.runtimestate.data;

import java.time.Duration;

/**
 * Who holds a lock. The token that would let others release it is not shown.
 *
 * @param remaining until the lease ends, at least 1 ms and at most the time it was asked for
 */
public record LockHolder(String owner, long fencingToken, Duration remaining) {
  @Override
  public String toString() {
    return "LockHolder";
  }
}
