package io.runtimestate.config;

/** Who can call the addresses of an exposed runtime. */
public enum BusScope {
  /** Callers on the same Vert.x instance. */
  LOCAL,
  /** Callers on every node of the Vert.x cluster. */
  CLUSTER;

  /** The lower-case word used in JSON. */
  @Override
  public String toString() {
    return Words.of(this);
  }
}
