package io.runtimestate.support;

/** The ways to a store that every contract case takes. */
public enum DoorKind {
  /** A memory runtime, called directly. */
  MEMORY,
  /** A runtime on the shared test server. */
  REDIS,
  /** A memory runtime, called over the event bus. */
  BUS;

  /** The lower-case word in display names and in the property {@code runtimestate.doors}. */
  public String word() {
    return name().toLowerCase();
  }
}
