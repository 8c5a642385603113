package io.runtimestate.bench;

/** One way of doing one operation. */
@FunctionalInterface
interface Work {
  /**
   * Starts an operation and passes its future's outcome to the slot: {@code
   * future.onComplete(slot)} or {@code stage.whenComplete(slot)}.
   *
   * @param number differs from call to call; picks the key and, in a mix, the operation
   */
  void start(long number, Slot slot);
}
