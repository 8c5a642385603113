package io.runtimestate.lease;

import io.runtimestate.spi.Contended;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * What somebody stands in line for: one acquisition, always tried with the same token, so that a
 * try whose answer was lost is found to be one's own.
 *
 * @param <G> what is granted
 */
interface Contest<G> {
  /** Its line: contests with equal ones exclude each other. */
  Contended line();

  /** The token of the acquisition. */
  String token();

  /** The name of the waiting call, for failures. */
  String name();

  /** The timeout of each operation in milliseconds; 0 for none. */
  long timeoutMillis();

  /** Whether a grant keeps everybody else out. */
  boolean isExclusive();

  /** How long a grant lasts unless it is renewed or released. */
  Duration ttl();

  /** One try through the door; empty if it was refused. */
  Future<Optional<G>> attempt(long timeoutMillis);

  /** After a refusal: how long until a place is free at the latest; empty if one is free now. */
  Future<Optional<Duration>> timeLeft(long timeoutMillis);

  /** Gives back in the background what an attempt may have got. */
  void withdraw();
}
