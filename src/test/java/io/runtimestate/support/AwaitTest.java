package io.runtimestate.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AwaitTest {

  private static final Duration SHORT = Duration.ofMillis(30);

  @Test
  void givesResultsAndBareFailures() {
    var failure = new IOException("x");

    assertThat(Await.get(Future.succeededFuture(1))).isEqualTo(1);
    assertThat(Await.failure(Future.failedFuture(failure))).isSameAs(failure);
    assertThatThrownBy(() -> Await.get(Future.failedFuture(failure))).isSameAs(failure);
  }

  @Test
  void failsWhenNothingComes() {
    var never = Promise.<Void>promise().future();

    assertThatThrownBy(() -> Await.within(SHORT, never)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Await.failure(Future.succeededFuture()))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Await.until(() -> false, SHORT, "pigs fly"))
        .hasMessageContaining("pigs fly");
  }
}
