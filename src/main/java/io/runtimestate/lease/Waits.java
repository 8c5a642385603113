package io.runtimestate.lease;

import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.time.Duration;

/** The rules for arguments that are no fields of an operation. */
final class Waits {
  private Waits() {}

  /** How long to wait: zero or more, at most 36 525 days. */
  static Duration wait(String call, Duration waitUpTo) {
    try {
      return Durations.roundUp(present(call, "waitUpTo", waitUpTo));
    } catch (IllegalArgumentException broken) {
      throw invalid(call + ": waitUpTo " + broken.getMessage());
    }
  }

  static <T> T present(String call, String what, T value) {
    if (value == null) {
      throw invalid(call + ": " + what + " is required");
    }
    return value;
  }

  static RuntimeStateException invalid(String message) {
    return new RuntimeStateException(FailureCode.INVALID_INPUT, message);
  }
}
