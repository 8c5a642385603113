package io.runtimestate.operation;

/** What a repeat of an operation does. */
public enum OperationKind {
  /** Changes nothing. */
  READ,
  /** Writes; a repeat leaves the same state, though its answer may differ. */
  REPEATABLE,
  /** Writes; must not be repeated blindly. */
  NOT_REPEATABLE;

  /** Whether an operation of this kind can change the store. */
  public boolean isWrite() {
    return this != READ;
  }
}
