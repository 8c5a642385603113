package io.runtimestate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.spi.TimeSource;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HandlersTest {

  @Test
  @DisplayName("every operation of the catalogue has a handler in memory")
  void handlers_complete() {
    Vertx vertx = Vertx.vertx();
    try {
      var open = MemoryBackend.open(vertx, new RuntimeStateOptions(), TimeSource.SYSTEM);
      assertThat(((MemoryBackend) Await.get(open)).missingHandlers()).isEmpty();
    } finally {
      Await.get(vertx.close());
    }
  }
}
