package io.runtimestate.data;

/**
 * What became of work that needed a lock or a permit.
 *
 * @param <T> the result of the work
 */
public sealed interface Guarded<T> {
  /** Whether the work ran. */
  default boolean isRan() {
    return this instanceof Ran;
  }

  /** The work ran; {@code value} is its result and may be null. */
  record Ran<T>(T value) implements Guarded<T> {
    @Override
    public String toString() {
      return "Ran";
    }
  }

  /** The wait ended without a lock or permit; the work was not called. */
  record NotAcquired<T>() implements Guarded<T> {}
}
