package io.runtimestate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LoopTasksTest {
  private static final int ROUNDS = 60;
  private static final int TIMERS = 20;

  private final Vertx vertx = Vertx.vertx();
  private final EventLoop loop = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
  private volatile boolean over;
  private volatile int rounds;
  private volatile int timers;
  private boolean othersRan; // only on the loop

  @AfterEach
  void close() {
    over = true;
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("tasks of others that never let the loop's turn end leave time for these")
  void endlessTasksOfOthers() {
    long began = System.nanoTime();
    loop.execute(this::other);
    busy(new LoopTasks(loop, () -> {}));
    Await.until(() -> rounds >= ROUNDS, "they take turns");
    assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(8));
  }

  @Test
  @DisplayName("two that are always busy let the loop's turn end for timers, and run on")
  void twoBusy_timersRun() {
    busy(new LoopTasks(loop, () -> {}));
    busy(new LoopTasks(loop, () -> {}));
    long began = System.nanoTime();
    loop.execute(this::timer);
    Await.until(() -> timers >= TIMERS, "timers run");
    assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(8));
  }

  private void other() {
    othersRan = true;
    if (!over) {
      loop.execute(this::other);
    }
  }

  /** Adds a task that takes a moment and adds itself again. */
  private void busy(LoopTasks tasks) {
    tasks.add(
        () -> {
          long began = System.nanoTime();
          while (System.nanoTime() - began < 50_000) {
            Thread.onSpinWait();
          }
          rounds += othersRan ? 1 : 0;
          othersRan = false;
          if (!over) {
            busy(tasks);
          }
        });
  }

  private void timer() {
    timers++;
    if (!over) {
      loop.schedule(this::timer, 1, TimeUnit.MILLISECONDS);
    }
  }
}
