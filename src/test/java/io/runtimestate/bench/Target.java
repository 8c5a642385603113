package io.runtimestate.bench;

/** What a ratio or figure should be. */
record Target(double bound, boolean atMost) {
  static Target atLeast(double bound) {
    return new Target(bound, false);
  }

  static Target atMost(double bound) {
    return new Target(bound, true);
  }

  boolean isMet(double value) {
    return atMost ? value <= bound : value >= bound;
  }

  @Override
  public String toString() {
    return (atMost ? "≤ " : "≥ ") + BenchReport.number(bound);
  }
}
