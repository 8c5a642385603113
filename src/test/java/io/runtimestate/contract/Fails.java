package io.runtimestate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import org.assertj.core.api.AbstractStringAssert;

/** Demands that a call fails with a code, having changed nothing, and hands over its message. */
final class Fails {
  private Fails() {}

  static AbstractStringAssert<?> assertFails(Future<?> call, FailureCode code) {
    RuntimeStateException failure = failure(call);
    assertThat(failure.code()).as(failure.getMessage()).isEqualTo(code);
    assertThat(failure.isRetryable()).isEqualTo(code.isRetryable());
    assertThat(failure.mayHaveBeenApplied()).isFalse();
    return assertThat(failure.getMessage());
  }

  static AbstractStringAssert<?> assertInvalid(Future<?> call) {
    return assertFails(call, FailureCode.INVALID_INPUT);
  }

  static RuntimeStateException failure(Future<?> call) {
    Throwable failure = Await.failure(call);
    assertThat(failure).isInstanceOf(RuntimeStateException.class);
    return (RuntimeStateException) failure;
  }
}
