package io.runtimestate.lease;

import java.time.Duration;

/**
 * How callers who want the same missing value share one computation.
 *
 * @param flightTtl how long after the death of the process that computes another one may begin;
 *     above zero
 * @param waitUpTo how long a caller waits for the value; may be zero
 */
public record FlightOptions(Duration flightTtl, Duration waitUpTo) {
  /** 30 seconds for both. */
  public static final FlightOptions DEFAULT =
      new FlightOptions(Duration.ofSeconds(30), Duration.ofSeconds(30));

  /** The same with another time of the lock that one computation holds. */
  public FlightOptions withFlightTtl(Duration ttl) {
    return new FlightOptions(ttl, waitUpTo);
  }

  /** The same with another wait. */
  public FlightOptions withWaitUpTo(Duration wait) {
    return new FlightOptions(flightTtl, wait);
  }
}
