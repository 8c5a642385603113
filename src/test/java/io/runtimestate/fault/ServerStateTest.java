package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyValue;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that answer, but not as usual: full, demoted, without scripts. */
class ServerStateTest extends RedisTest {
  private RedisServer server;
  private RedisSide side;
  private StateBackend backend;

  @BeforeEach
  void startServer() {
    server = RedisServer.start();
    side = server.side();
    backend = open(server.uri());
    run(backend, set("warm", "1"));
  }

  @AfterEach
  void stopServer() {
    Await.get(backend.close());
    side.close();
    server.close();
  }

  @Test
  @DisplayName("C048, F01: scripts that are flushed all the time fail nothing and run once")
  void flushedScripts() {
    long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
    int rounds = 0;
    while (System.nanoTime() < end) {
      List<Future<Long>> increments = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        increments.add(
            backend.execute(new KvOperation.Increment("n", 1, Optional.of(Duration.ofMinutes(1)))));
      }
      side.command("SCRIPT", "FLUSH");
      Future<Void> many =
          backend.execute(
              new KvOperation.SetMany(List.of(new KeyValue("k", "v")), Optional.empty()));
      increments.forEach(Await::get);
      Await.get(many);
      assertThat(run(backend, compareAndSet("k", "v", "w"))).isTrue();
      side.command("SCRIPT", "FLUSH");
      assertThat(run(backend, new KvOperation.DeleteIfEquals("k", "w"))).isTrue();
      rounds++;
    }
    assertThat(run(backend, get("n"))).contains(Integer.toString(50 * rounds));
  }

  @Test
  @DisplayName("C446, E03: a server that became a replica refuses writes without a storm")
  void replica() {
    AtomicInteger logged = new AtomicInteger();
    Handler counter = counting(logged);
    Logger.getLogger("").addHandler(counter);
    long accepted = side.connectionsAccepted();
    side.command("REPLICAOF", "127.0.0.1", "1");
    long end = System.nanoTime() + Duration.ofSeconds(6).toNanos();
    int writes = 0;
    while (System.nanoTime() < end) {
      RuntimeStateException failure = failure(backend.execute(set("k", "v")));
      assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
      assertThat(failure.isRetryable()).isTrue();
      assertThat(failure.mayHaveBeenApplied()).isFalse();
      assertThat(run(backend, get("warm"))).contains("1");
      writes++;
    }
    Logger.getLogger("").removeHandler(counter);
    assertThat(writes).isGreaterThan(100);
    assertThat(side.connectionsAccepted() - accepted).as("pauses grow to 2 s").isLessThan(20);
    assertThat(logged.get()).isLessThan(20);
    side.command("REPLICAOF", "NO", "ONE");
    run(backend, set("k", "v"));
    assertThat(backend.figures()).containsEntry("lane.fast.pending", 0L);
  }

  private static Handler counting(AtomicInteger logged) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        logged.incrementAndGet();
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  @DisplayName("C477: a full server refuses what would grow, whole")
  void fullServer() {
    run(backend, set("k", "x"));
    side.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    side.command("CONFIG", "SET", "maxmemory", "1mb");
    RuntimeStateException failure = failure(backend.execute(set("other", "v")));
    assertThat(failure.code()).isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
    assertThat(failure.mayHaveBeenApplied()).isFalse();
    List<KeyValue> entries = List.of(new KeyValue("a", "1"), new KeyValue("b", "2"));
    for (Operation<?> growing :
        List.<Operation<?>>of(
            new KvOperation.SetMany(entries, Optional.empty()),
            compareAndSet("k", "x", "y"),
            new KvOperation.Increment("n", 1, Optional.of(Duration.ofMinutes(1))))) {
      assertThat(failure(backend.execute(growing)).code())
          .as(growing.name())
          .isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
    }
    assertThat(run(backend, new KvOperation.GetMany(List.of("a", "b", "n", "other"))))
        .containsOnly(Optional.empty());
    assertThat(run(backend, new KvOperation.DeleteIfEquals("k", "x"))).isTrue();
  }
}
