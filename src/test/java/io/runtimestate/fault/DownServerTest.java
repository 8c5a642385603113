package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Health;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.redis.RedisBackend;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.Footprint;
import io.runtimestate.support.Lag;
import io.runtimestate.support.RedisServer;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DownServerTest extends RedisTest {
  /** Fast, control and admin: each waits for its next try to connect. */
  private static final int LANES_THAT_PAUSE = 3;

  private RedisServer server;

  @BeforeEach
  void startServer() {
    server = RedisServer.start();
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  private RuntimeStateOptions options(int timeoutMillis, boolean failFast) {
    RuntimeStateOptions options =
        options(server.uri()).setCommandTimeout(Duration.ofMillis(timeoutMillis));
    options.getRedis().setFailFast(failFast);
    return options;
  }

  private static long millisSince(long startedAt) {
    return (System.nanoTime() - startedAt) / 1_000_000;
  }

  private void stopAndWait(StateBackend backend) {
    server.kill();
    Await.until(
        () ->
            backend.figures().get("lane.fast.connections") == 0
                && backend.figures().get("lane.control.connections") == 0,
        "it is down");
  }

  @Test
  @DisplayName("C438: health of a stopped server is an answer, time a failure")
  void health() {
    StateBackend backend = open(options(300, false));
    assertThat(run(backend, new SystemOperation.Health()).up()).isTrue();
    stopAndWait(backend);
    long startedAt = System.nanoTime();
    Health health = run(backend, new SystemOperation.Health());
    assertThat(millisSince(startedAt)).isLessThan(500);
    assertThat(health.up()).isFalse();
    assertThat(health.message()).isPresent();
    assertThat(failure(backend.execute(new SystemOperation.Time())).code())
        .isIn(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT);
  }

  @Test
  @DisplayName("C447: fail fast fails at once, else the deadline is waited for")
  void failFast() {
    StateBackend patient = open(options(300, false));
    StateBackend hasty = open(options(2_000, true));
    run(patient, get("warm"));
    run(hasty, get("warm"));
    stopAndWait(patient);
    stopAndWait(hasty);
    failure(hasty.execute(get("warm")));

    try (Lag lag = Lag.measure()) {
      long fastest = Long.MAX_VALUE; // of several: this machine may be busy
      for (int i = 0; i < 5; i++) {
        long startedAt = System.nanoTime();
        RuntimeStateException failure = failure(hasty.execute(set("k", "v")));
        fastest = Math.min(fastest, millisSince(startedAt));
        assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
        assertThat(failure.mayHaveBeenApplied()).isFalse();
      }
      assertThat(fastest).isLessThan(10 + 3 * lag.millis());

      long startedAt = System.nanoTime();
      assertThat(failure(patient.execute(set("k", "v"))).mayHaveBeenApplied()).isFalse();
      assertThat(millisSince(startedAt)).isBetween(300L, 400L + 3 * lag.millis());
    }
  }

  /** Opened on the verticle's context, so that anything left there would pile up there. */
  private static final class Opener extends AbstractVerticle {
    private final RuntimeStateOptions options;
    private StateBackend backend;

    Opener(RuntimeStateOptions options) {
      this.options = options;
    }

    @Override
    public void start(Promise<Void> started) {
      RedisBackend.open(vertx, options)
          .onSuccess(opened -> backend = opened)
          .<Void>mapEmpty()
          .onComplete(started);
    }

    @Override
    public void stop(Promise<Void> stopped) {
      backend.close().onComplete(stopped);
    }
  }

  @Test
  @DisplayName("A07: a server that is down for long leaves no timer, hook or heap behind")
  void nothingPilesUp() {
    Footprint before = Footprint.of(vertx, null);
    Opener opener = new Opener(options(2_000, true));
    String deployment = Await.get(vertx.deployVerticle(opener, new DeploymentOptions()));
    StateBackend backend = opener.backend;
    Footprint open = Footprint.of(vertx, null);
    stopAndWait(backend);
    fail(backend, 2_000);
    long heap = heap();
    fail(backend, 20_000);
    assertThat(heap() - heap).isLessThan(4L << 20);
    assertThat(Footprint.of(vertx, null).timers())
        .isLessThanOrEqualTo(open.timers() + LANES_THAT_PAUSE);
    long startedAt = System.nanoTime();
    Await.get(vertx.undeploy(deployment));
    assertThat(millisSince(startedAt)).isLessThan(1_000);
    before.awaitReturn(vertx, null);
    assertThat(failure(backend.execute(get("k"))).code()).isEqualTo(FailureCode.CLOSED);
  }

  private void fail(StateBackend backend, int times) {
    Promise<Void> end = Promise.promise();
    vertx.runOnContext(now -> failNext(backend, times, end));
    Await.get(end.future());
  }

  private static void failNext(StateBackend backend, int left, Promise<Void> end) {
    if (left == 0) {
      end.complete();
    } else {
      backend.execute(get("k")).onFailure(expected -> failNext(backend, left - 1, end));
    }
  }

  private static long heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Test
  @DisplayName("C452: close ends in time although the server is stalled")
  void closeOfAStalledServer() {
    StateBackend backend = open(options(10_000, false).setCloseTimeout(Duration.ofMillis(500)));
    Footprint before = Footprint.of(vertx, null);
    run(backend, get("warm"));
    server.pause();
    try {
      Future<Void> write = backend.execute(set("k", "v"));
      long startedAt = System.nanoTime();
      Future<Void> closed = backend.close();
      assertThat(failure(backend.execute(get("k"))).code()).isEqualTo(FailureCode.CLOSED);
      Await.get(closed);
      assertThat(millisSince(startedAt)).isBetween(500L, 1_500L);
      RuntimeStateException failure = failure(write);
      assertThat(failure.code()).isEqualTo(FailureCode.CLOSED);
      assertThat(failure.mayHaveBeenApplied()).isTrue();
      Await.get(backend.close());
      before.awaitReturn(vertx, null);
    } finally {
      server.resume();
    }
  }

  @Test
  void closeWaitsForWhatIsInFlight() {
    StateBackend backend = open(options(2_000, false).setCloseTimeout(Duration.ofSeconds(2)));
    run(backend, get("warm"));
    Future<Void> write = backend.execute(set("k", "v"));
    Await.get(backend.close());
    Await.get(write);
  }
}
