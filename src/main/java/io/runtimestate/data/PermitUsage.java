package io.runtimestate.data;

/**
 * How much of a semaphore is in use.
 *
 * @param limit as the caller gave it; others may use another one
 * @param inFlight permits held now, whatever limit they were granted under
 * @param available {@code limit - inFlight}, never below zero
 */
public record PermitUsage(int limit, int inFlight, int available) {
  /** The usage of a semaphore with so many holders. */
  public static PermitUsage of(int limit, int inFlight) {
    return new PermitUsage(limit, inFlight, Math.max(0, limit - inFlight));
  }
}
