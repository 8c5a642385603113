package io.runtimestate.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.operation.KvOperation;
import io.runtimestate.spi.Callers;
import io.runtimestate.support.Await;
import io.runtimestate.support.Footprint;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CallWatchTest {
  private final Vertx vertx = Vertx.vertx();
  private final Set<RemoteCall<?>> pending = ConcurrentHashMap.newKeySet();
  private final CallWatch watch = new CallWatch((VertxInternal) vertx, pending);

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("one timer while calls are pending, none before and after")
  void oneTimer() {
    assertThat(timers()).isZero();
    Call first = new Call(Long.MAX_VALUE);
    Call second = new Call(Long.MAX_VALUE);
    long begun = watch.tickAfter(1);
    Await.until(() -> watch.tickAfter(1) > begun + 2, "it goes on");
    assertThat(timers()).isLessThanOrEqualTo(1);
    first.end(Optional.empty());
    second.end(Optional.empty());
    Await.until(() -> timers() == 0, "the timer ends");
    new Call(watch.tickAfter(1)).awaitLost();
  }

  @Test
  @DisplayName("a call is lost at its last tick and not before")
  void lost_inTime() {
    Call late = new Call(watch.tickAfter(300));
    long before = System.nanoTime();
    late.awaitLost();
    assertThat(System.nanoTime() - before).isGreaterThan(290_000_000L);
    assertThat(pending).isEmpty();
  }

  @Test
  @DisplayName("P01 it goes on when the verticle that began it has gone")
  void verticleGone() {
    Caller caller = new Caller();
    Await.get(vertx.undeploy(Await.get(vertx.deployVerticle(caller))));
    caller.call.awaitLost();
  }

  @Test
  @DisplayName("closed it has no timer, whoever calls")
  void closed_noTimer() {
    new Call(Long.MAX_VALUE);
    watch.close();
    Await.until(() -> timers() == 0, "the timer ends");
    CallWatch another = new CallWatch((VertxInternal) vertx, pending);
    another.close();
    another.start();
    assertThat(timers()).isZero();
  }

  private int timers() {
    return Footprint.of(vertx, null).timers();
  }

  /** Is lost at a tick. */
  private final class Call extends RemoteCall<Optional<String>> {
    private final long lastTick;

    Call(long lastTick) {
      super(new KvOperation.Get("k"), Callers.promise(vertx), pending);
      this.lastTick = lastTick;
      pending.add(this);
      watch.start();
    }

    @Override
    boolean isLost(long tick) {
      return tick >= lastTick;
    }

    void awaitLost() {
      assertThat(Await.failure(future())).hasMessage("kv.get: no reply over the event bus");
    }
  }

  /** Makes a call when it starts. */
  private final class Caller extends VerticleBase {
    private volatile Call call;

    @Override
    public Future<?> start() {
      call = new Call(watch.tickAfter(200));
      return Future.succeededFuture();
    }
  }
}
