package io.runtimestate.data;

/** Whether an entry moved to another stream. */
public sealed interface TransferResult {
  /** Whether this call moved the entry. */
  default boolean isTransferred() {
    return this instanceof Transferred;
  }

  /**
   * The entry is in the destination and gone from the source.
   *
   * @param destinationId its id there
   * @param acked 1
   * @param deleted 1; 0 only if the body had been removed from outside
   */
  record Transferred(String destinationId, long acked, long deleted) implements TransferResult {
    @Override
    public String toString() {
      return "Transferred";
    }
  }

  /**
   * Nothing happened: the entry is not pending in this group, or for somebody else. It does not
   * prove that the entry was moved by another call.
   */
  record NotPending() implements TransferResult {}
}
