package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.operation.SetOperation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BulkLoopTest extends RedisTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Test
  @DisplayName("bulk work is not done on the event loop of the opener")
  void members_whileTheOpenerIsBusy() {
    ContextInternal opener = context();
    StateBackend backend =
        Await.get(on(opener, () -> opening(options(RedisServer.shared().uri()))));
    CountDownLatch busy = new CountDownLatch(1);
    opener.runOnContext(now -> hold(busy));
    try {
      Future<List<String>> members =
          on(elsewhere(opener), () -> backend.execute(new SetOperation.Members("none")));
      assertThat(Await.within(PATIENCE, members)).isEmpty();
    } finally {
      busy.countDown();
    }
  }

  private static void hold(CountDownLatch until) {
    try {
      until.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private ContextInternal context() {
    return ((VertxInternal) vertx).createEventLoopContext();
  }

  private ContextInternal elsewhere(ContextInternal opener) {
    ContextInternal other = context();
    return other.nettyEventLoop() == opener.nettyEventLoop() ? elsewhere(opener) : other;
  }

  private static <T> Future<T> on(ContextInternal context, Supplier<Future<T>> action) {
    Promise<T> done = Promise.promise();
    context.runOnContext(now -> action.get().onComplete(done));
    return done.future();
  }
}
