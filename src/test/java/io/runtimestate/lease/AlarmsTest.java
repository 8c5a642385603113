package io.runtimestate.lease;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.support.Await;
import io.runtimestate.support.Footprint;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AlarmsTest {
  private static final long MILLI = 1_000_000;

  private final Vertx vertx = Vertx.vertx();
  private final LeaseLoop loop = LeaseLoop.another(vertx);
  private final List<Long> rung = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    get(vertx.close());
  }

  private final class Recorded extends Alarm {
    @Override
    void ring() {
      rung.add(due);
    }
  }

  private void onLoop(Runnable task) {
    Promise<Void> done = Promise.promise();
    loop.run(
        () -> {
          task.run();
          done.complete();
        });
    get(done.future());
  }

  private int timers() {
    return Footprint.of(vertx, null).timers();
  }

  @Test
  @DisplayName("thousands of alarms ring in order, under one timer")
  void alarms_inOrder() {
    Random random = new Random(1);
    List<Alarm> alarms = new ArrayList<>();
    onLoop(
        () -> {
          long now = System.nanoTime();
          for (int i = 0; i < 5_000; i++) {
            Alarm alarm = new Recorded();
            alarms.add(alarm);
            loop.alarms().set(alarm, now + (500 + random.nextInt(300)) * MILLI);
          }
          for (int i = 0; i < 5_000; i += 2) {
            loop.alarms().set(alarms.get(i), now + (500 + random.nextInt(300)) * MILLI);
          }
          for (int i = 0; i < 5_000; i += 5) {
            loop.alarms().cancel(alarms.get(i));
          }
        });
    assertThat(timers()).isEqualTo(1);
    Await.until(() -> rung.size() == 4_000, "all ring");
    assertThat(rung).isSorted();
    assertThat(alarms).noneMatch(Alarm::isSet);
    assertThat(timers()).isZero();
  }

  @Test
  @DisplayName("no timer is left when the last alarm is taken out")
  void alarms_noneLeft() {
    Alarm alarm = new Recorded();
    onLoop(() -> loop.alarms().set(alarm, System.nanoTime() + 60_000 * MILLI));
    assertThat(timers()).isEqualTo(1);
    onLoop(() -> loop.alarms().cancel(alarm));
    onLoop(() -> loop.alarms().cancel(alarm));
    assertThat(timers()).isZero();
  }

  @Test
  @DisplayName("an earlier alarm rings before one that was set first; a past one soon")
  void alarms_earlier() {
    onLoop(
        () -> {
          loop.alarms().set(new Recorded(), System.nanoTime() + 100_000 * MILLI);
          loop.alarms().set(new Recorded(), System.nanoTime() - MILLI);
        });
    Await.until(() -> rung.size() == 1, "the past one rings");
    onLoop(() -> loop.alarms().close());
    onLoop(() -> loop.alarms().set(new Recorded(), System.nanoTime()));
    assertThat(timers()).isZero();
    assertThat(rung).hasSize(1);
  }

  @Test
  @DisplayName("15 pauses double from 20 to 500 ms, each a random half to whole")
  void pauses_double() {
    for (int round = 0; round < 100; round++) {
      Pauses pauses = new Pauses(20, 500);
      long whole = 20;
      for (int i = 0; i < 30; i++) {
        assertThat(pauses.nextNanos()).isBetween(whole * MILLI / 2, whole * MILLI);
        whole = Math.min(500, whole * 2);
      }
      pauses.reset();
      assertThat(pauses.nextNanos()).isBetween(10 * MILLI, 20 * MILLI);
    }
  }
}
