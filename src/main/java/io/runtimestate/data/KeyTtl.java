package io.runtimestate.data;

import java.time.Duration;

/** The three answers to "how long does this key live?". */
public sealed interface KeyTtl {
  /** No live key of that name. */
  record Missing() implements KeyTtl {}

  /** The key lives until it is deleted. */
  record NoExpiry() implements KeyTtl {}

  /** The key expires; {@code ttl} is at least 1 ms and at most the duration it was given. */
  record Remaining(Duration ttl) implements KeyTtl {}
}
