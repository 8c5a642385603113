package io.runtimestate.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Demands INVALID_CONFIGURATION and hands over its message. */
final class Invalid {
  private Invalid() {}

  static AbstractStringAssert<?> assertInvalid(ThrowingCallable action) {
    RuntimeStateException failure = catchThrowableOfType(RuntimeStateException.class, action);
    Assertions.assertThat(failure).isNotNull();
    Assertions.assertThat(failure.code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
    Assertions.assertThat(failure.getCause()).isNull();
    return Assertions.assertThat(failure.getMessage());
  }
}
