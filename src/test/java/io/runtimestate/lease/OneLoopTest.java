package io.runtimestate.lease;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.LossReason;
import io.runtimestate.support.Await;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OneLoopTest {
  @Test
  @DisplayName("C409 a loop that stalls beyond the lease finds the permit lost and its place free")
  void stall_losesPermit() {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    RuntimeState state = get(RuntimeState.open(vertx, new RuntimeStateOptions()));
    Semaphore semaphore =
        state
            .semaphores()
            .semaphore(
                new SemaphoreOptions("g", 1)
                    .setLeaseTtl(Duration.ofMillis(20))
                    .setRenewInterval(Duration.ofMillis(5)));
    Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
    Promise<Permit> stalled = Promise.promise();
    vertx.runOnContext(
        now ->
            semaphore
                .tryAcquire()
                .onSuccess(
                    permit -> {
                      permit.orElseThrow().onLost(losses::add);
                      LockSupport.parkNanos(Duration.ofMillis(60).toNanos());
                      stalled.complete(permit.orElseThrow());
                    }));
    Permit permit = get(stalled.future());
    assertThat(permit.isHealthy()).isFalse();
    Await.until(() -> losses.size() == 1, "the loss is told");
    assertThat(get(semaphore.snapshot()).inFlight()).isZero();
    assertThat(permit.isHealthy()).isFalse();
    assertThat(losses).hasSize(1);
    get(state.close());
    get(vertx.close());
  }
}
