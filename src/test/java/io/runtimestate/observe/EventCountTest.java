package io.runtimestate.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EventCountTest {
  private static final int COUNTS = 50_000;

  private final Vertx vertx = Vertx.vertx();
  private final EventCount count = new EventCount();

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("nothing is lost however many event loops and other threads count at once")
  void anyThreads() throws Exception {
    List<Future<?>> loops = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      loops.add(onLoop());
    }
    Thread other = new Thread(this::count);
    other.start();
    count();
    other.join();
    Await.get(Future.join(loops));
    assertThat(count.sum()).isEqualTo(5L * COUNTS);
  }

  @Test
  @DisplayName("counts of a thread that comes first and goes are kept")
  void otherThreadFirst() {
    count();
    Await.get(onLoop());
    assertThat(count.sum()).isEqualTo(2L * COUNTS);
  }

  private Future<Void> onLoop() {
    Promise<Void> done = Promise.promise();
    ((VertxInternal) vertx)
        .createEventLoopContext()
        .runOnContext(
            now -> {
              count();
              done.complete();
            });
    return done.future();
  }

  private void count() {
    for (int i = 0; i < COUNTS; i++) {
      count.increment();
    }
  }
}
