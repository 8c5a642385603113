package io.runtimestate.bench;

/** Something whose speed is compared with that of others. */
interface Contender {
  /** The name in the results; the same work has the same name everywhere. */
  String name();

  /** Works for about that long. */
  Sample round(long millis) throws Exception;
}
