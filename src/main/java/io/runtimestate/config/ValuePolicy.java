package io.runtimestate.config;

/** What the memory backend does when a new value would exceed its limit. */
public enum ValuePolicy {
  /** Evict values to make room. */
  EVICT,
  /** Refuse the new value with CAPACITY_EXHAUSTED. */
  REJECT;

  /** The lower-case word used in JSON. */
  @Override
  public String toString() {
    return Words.of(this);
  }
}
