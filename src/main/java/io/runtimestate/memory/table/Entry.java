package io.runtimestate.memory.table;

/**
 * A named object with an optional deadline. It is its own node in the one {@link ExpiryIndex} it
 * may be in as well, so that neither table allocates nodes.
 */
public abstract class Entry extends Named {
  /** The deadline of an object that never expires. */
  public static final long NEVER = Long.MAX_VALUE;

  long deadline = NEVER;
  int heapIndex = -1;

  /** An object without deadline, in no table yet. */
  protected Entry(String key) {
    super(key);
  }

  /** When it expires, in the nanoseconds of the owner's clock; {@link #NEVER} for never. */
  public final long deadline() {
    return deadline;
  }

  /** Takes the object out of its table because its deadline has passed; called once. */
  public abstract void expire();
}
