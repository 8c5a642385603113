package io.runtimestate.data;

/** The answer to a request for a permit of a semaphore. */
public sealed interface PermitDecision {
  /** Whether there is a permit. */
  default boolean isGranted() {
    return this instanceof Granted;
  }

  /**
   * A permit.
   *
   * @param token its identity: {@code <gate>:<uuid>}
   * @param inFlight how many permits are held now, this one included
   */
  record Granted(String token, int inFlight) implements PermitDecision {
    @Override
    public String toString() {
      return "Granted";
    }
  }

  /** As many permits as the limit allows are held, or others stand in line; nothing was written. */
  record Saturated(String gate, int limit) implements PermitDecision {
    @Override
    public String toString() {
      return "Saturated";
    }
  }
}
