package io.runtimestate.data;

/**
 * Why an operation failed. The numbers are stable: they are the {@code failureCode()} of a reply on
 * the event bus, are never changed and never reused.
 */
public enum FailureCode {
  /** Options or a definition are wrong, the server is too old, or it refused credentials. */
  INVALID_CONFIGURATION(1001, false),
  /** An argument broke its rule, or a result would leave its number range. */
  INVALID_INPUT(1002, false),
  /** A live data key holds another type, or a text that is not an integer. */
  WRONG_TYPE(1003, false),
  /** The stream is missing, has expired, or vanished while the call waited. */
  NO_SUCH_STREAM(1004, false),
  /** The consumer group is missing, or vanished while the call waited. */
  NO_SUCH_GROUP(1005, false),
  /** The keys of one operation do not share a hash slot. */
  CROSS_SLOT(1006, false),
  /** A memory limit, the server's {@code maxmemory}, or the last possible stream id is reached. */
  CAPACITY_EXHAUSTED(1007, true),
  /** The backend cannot be reached, the connection was lost, or the server refuses for a while. */
  UNAVAILABLE(1008, true),
  /** The deadline of the call passed. */
  TIMED_OUT(1009, true),
  /** A bounded queue is full; nothing was done. */
  OVERLOADED(1010, true),
  /** The server answered with an unknown error or a malformed reply. */
  UNEXPECTED_REPLY(1011, false),
  /** The runtime, client or worker is closed. */
  CLOSED(1012, false),
  /** A helper lost its lock or permit while it worked. */
  LEASE_LOST(1013, false),
  /** A defect, or a handler or loader that broke its rules. */
  INTERNAL(1014, false);

  private final int number;
  private final boolean retryable;

  FailureCode(int number, boolean retryable) {
    this.number = number;
    this.retryable = retryable;
  }

  /** The stable number, 1001 to 1014. */
  public int number() {
    return number;
  }

  /** Whether the same call may succeed later without any change by the caller. */
  public boolean isRetryable() {
    return retryable;
  }

  /** The code of a number; {@link #INTERNAL} for a number that is not known. */
  public static FailureCode ofNumber(int number) {
    int index = number - INVALID_CONFIGURATION.number;
    return index >= 0 && index < values().length ? values()[index] : INTERNAL;
  }
}
