package io.runtimestate.node;

/** One worker, wherever it works. */
interface CrewMember extends AutoCloseable {
  /** Waits until it works. */
  void awaitReady();

  boolean isAlive();

  /** Lets it finish what it has begun; it may have ended already. */
  @Override
  void close();
}
