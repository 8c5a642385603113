package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionLossTest extends RedisTest {
  private RedisServer server; // of its own: it counts connections
  private FaultProxy proxy;
  private StateBackend backend;

  @BeforeEach
  void open() {
    server = RedisServer.start();
    proxy = FaultProxy.start(vertx, server.port());
    backend = open(proxy.uri());
  }

  @AfterEach
  void closeProxy() {
    Await.get(backend.close());
    proxy.close();
    server.close();
  }

  private long connections() {
    return backend.figures().entrySet().stream()
        .filter(figure -> figure.getKey().endsWith(".connections"))
        .mapToLong(figure -> figure.getValue())
        .sum();
  }

  @Test
  @DisplayName("C046: a reply that was lost is flagged for writes only")
  void lostReply() {
    run(backend, get("warm"));
    proxy.cutAfterNextRequest();
    RuntimeStateException write = failure(backend.execute(set("k", "v")));
    assertThat(write.code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(write.mayHaveBeenApplied()).isTrue();
    assertThat(write).hasMessageEndingWith(RuntimeStateException.MAY_HAVE_BEEN_APPLIED);
    assertThat(run(backend, get("k"))).contains("v");

    proxy.cutAfterNextRequest();
    RuntimeStateException read = failure(backend.execute(get("k")));
    assertThat(read.code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(read.mayHaveBeenApplied()).isFalse();
  }

  @Test
  @DisplayName("C445, A01, A05: all in flight fail once, and one connection per lane comes back")
  void everythingCut() {
    run(backend, get("warm"));
    long connections = connections();
    for (int round = 0; round < 20; round++) {
      AtomicIntegerArray completions = new AtomicIntegerArray(500);
      List<Future<?>> all = new ArrayList<>();
      proxy.cutAfterReplies(50);
      for (int i = 0; i < 500; i++) {
        int number = i;
        all.add(mixed(i).onComplete(done -> completions.incrementAndGet(number)));
      }
      if (round % 2 == 1) {
        proxy.cut();
      }
      all.forEach(ConnectionLossTest::assertSettledWell);
      for (int i = 0; i < 500; i++) {
        assertThat(completions.get(i)).isEqualTo(1);
      }
      Await.until(() -> connections() == connections, "the lanes are connected again");
      Await.until(() -> named() == connections, "no connection is left over");
    }
    assertThat(backend.figures())
        .containsEntry("pending", 0L)
        .containsEntry("lane.fast.pending", 0L);
  }

  private long named() {
    try (RedisSide side = server.side()) {
      return side.clientList().stream()
          .filter(client -> client.get("name").startsWith("runtime-state-"))
          .count();
    }
  }

  private Future<?> mixed(int i) {
    return switch (i % 4) {
      case 0 -> backend.execute(set("k" + i, "v"));
      case 1 -> backend.execute(get("k" + i));
      case 2 -> backend.execute(increment("n"));
      default -> backend.execute(compareAndSet("k" + i, "v", "w"));
    };
  }

  private static void assertSettledWell(Future<?> future) {
    Await.until(future::isComplete, "it completes");
    if (future.failed()) {
      assertThat(((RuntimeStateException) future.cause()).code())
          .isEqualTo(FailureCode.UNAVAILABLE);
    }
  }

  @Test
  @DisplayName("A11: failures at every stage of connecting leave the lane whole")
  void failingAtEveryStage() {
    run(backend, get("warm"));
    long connections = connections();
    for (int bytes : new int[] {0, 10, 40, 200, 600, 2_000}) {
      proxy.cutAfterRequestBytes(bytes);
      proxy.hangUp();
      Await.until(this::works, "it works again");
    }
    Await.until(() -> connections() == connections, "the lanes are connected again");
    Await.until(() -> named() == connections, "no connection is left over");
  }

  private boolean works() {
    Future<?> call = backend.execute(get("k"));
    Await.until(call::isComplete, "it completes");
    return call.succeeded();
  }

  @Test
  void tellsOfConnections() {
    Queue<ConnectionEvent> events = new ConcurrentLinkedQueue<>();
    backend.connectionHandler(events::add);
    proxy.refuse();
    proxy.cut();
    Await.until(() -> events.contains(new ConnectionEvent("control", false)), "control is down");
    proxy.accept();
    Await.until(() -> events.contains(new ConnectionEvent("control", true)), "control is up");
    assertThat(run(backend, get("k"))).isEmpty();
  }

  @Test
  void worksWithinTwoSecondsOfTheServerBeingBack() {
    try (RedisServer own = RedisServer.start()) {
      StateBackend other = open(options(own.uri()).setCommandTimeout(Duration.ofSeconds(10)));
      run(other, set("k", "v"));
      own.kill();
      Await.until(() -> other.figures().get("lane.fast.connections") == 0, "it is down");
      own.startAgain();
      long startedAt = System.nanoTime();
      run(other, set("k", "v"));
      assertThat(Duration.ofNanos(System.nanoTime() - startedAt))
          .isLessThan(Duration.ofMillis(2_100));
    }
  }

  @Test
  void orderOfOneKeyIsKept() {
    List<Future<Void>> sets = new ArrayList<>();
    Future<?> last =
        onLoop(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                sets.add(backend.execute(set("order", "" + i)));
              }
              return backend.execute(get("order"));
            });
    assertThat(Await.get(last)).isEqualTo(Optional.of("999"));
    sets.forEach(Await::get);
    assertThat(run(backend, new KvOperation.Take("order"))).contains("999");
  }
}
