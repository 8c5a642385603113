package io.runtimestate;

import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.StateBackend;
import java.time.Duration;

/** The rule for the deadline that a call brings itself. */
final class Timeouts {
  private Timeouts() {}

  static long millis(Duration timeout) {
    if (timeout == null) {
      return StateBackend.NO_TIMEOUT;
    }
    if (timeout.isZero()) {
      throw invalid("must be above zero");
    }
    try {
      return Durations.roundUp(timeout).toMillis();
    } catch (IllegalArgumentException broken) {
      throw invalid(broken.getMessage());
    }
  }

  private static RuntimeStateException invalid(String rule) {
    return new RuntimeStateException(FailureCode.INVALID_INPUT, "timeout " + rule);
  }
}
