package io.runtimestate.worker;

/** How many more messages somebody wants. */
interface Demand {
  /** As many as can be handled. */
  Demand UNLIMITED = () -> Integer.MAX_VALUE;

  int open();
}
