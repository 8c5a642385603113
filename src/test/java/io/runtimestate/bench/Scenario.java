package io.runtimestate.bench;

/** A family of comparisons that is run by one command. */
interface Scenario {
  /** Its name on the command line. */
  String name();

  /** One line for the report. */
  String title();

  /** How long a round lasts, and one of warming up, unless the command line says so. */
  default int usualMillis() {
    return 1_000;
  }

  /** Opens what it needs, hands comparisons and figures to the bench, closes everything. */
  void run(Bench bench) throws Exception;
}
