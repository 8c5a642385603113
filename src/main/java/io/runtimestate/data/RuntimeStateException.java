package io.runtimestate.data;

import java.util.Objects;

/**
 * The only failure type of this library. It carries a stable {@link #code()} and, except for {@link
 * FailureCode#INTERNAL}, no stack trace. Messages name operations, arguments, rules and options,
 * never keys, values or credentials.
 */
public final class RuntimeStateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Ends the message of every failure whose write may have reached the store. */
  public static final String MAY_HAVE_BEEN_APPLIED = " [may have been applied]";

  private final FailureCode code;
  private final boolean mayHaveBeenApplied;

  /** A failure that certainly changed nothing. */
  public RuntimeStateException(FailureCode code, String message) {
    this(code, message, false, null);
  }

  /**
   * @param mayHaveBeenApplied whether a write may have taken effect; adds {@link
   *     #MAY_HAVE_BEEN_APPLIED} to the message unless it ends so already
   * @param cause what led to it, or null
   */
  public RuntimeStateException(
      FailureCode code, String message, boolean mayHaveBeenApplied, Throwable cause) {
    super(
        mayHaveBeenApplied ? marked(message) : message, cause, false, code == FailureCode.INTERNAL);
    this.code = Objects.requireNonNull(code);
    this.mayHaveBeenApplied = mayHaveBeenApplied;
  }

  /** Rebuilds a failure from what travels over the event bus: its number and its message. */
  public static RuntimeStateException ofNumber(int number, String message) {
    boolean flagged = message != null && message.endsWith(MAY_HAVE_BEEN_APPLIED);
    return new RuntimeStateException(FailureCode.ofNumber(number), message, flagged, null);
  }

  /** The kind of failure. */
  public FailureCode code() {
    return code;
  }

  /** Whether the same call may succeed later; see {@link FailureCode#isRetryable()}. */
  public boolean isRetryable() {
    return code.isRetryable();
  }

  /** True exactly when a write may have reached the store and no answer proves otherwise. */
  public boolean mayHaveBeenApplied() {
    return mayHaveBeenApplied;
  }

  private static String marked(String message) {
    return message.endsWith(MAY_HAVE_BEEN_APPLIED) ? message : message + MAY_HAVE_BEEN_APPLIED;
  }
}
