package io.runtimestate.observe;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.OperationType;
import java.util.Locale;

/** What a call can come to, numbered without gaps: ok, rejected, then one for each failure code. */
final class Outcome {
  static final int OK = 0;
  static final int REJECTED = 1;
  static final int COUNT = 2 + FailureCode.values().length;

  private static final FailureCode[] CODES = FailureCode.values();

  private Outcome() {}

  static int of(OperationType type, Object result, Throwable failure) {
    if (failure != null) {
      return of(codeOf(failure));
    }
    return type.isRefusal(result) ? REJECTED : OK;
  }

  static int of(FailureCode code) {
    return 2 + code.ordinal();
  }

  /** The word used in metrics: {@code ok}, {@code rejected}, or the code in lower case. */
  static String word(int outcome) {
    return switch (outcome) {
      case OK -> "ok";
      case REJECTED -> "rejected";
      default -> CODES[outcome - 2].name().toLowerCase(Locale.ROOT);
    };
  }

  private static FailureCode codeOf(Throwable failure) {
    return failure instanceof RuntimeStateException known ? known.code() : FailureCode.INTERNAL;
  }
}
