package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.Lag;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reads that wait at a server which fails, or for lanes that others hold. */
class BlockedReadFaultTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String GROUP = "g";

  private final Vertx vertx = Vertx.vertx();
  private RedisServer server;
  private FaultProxy proxy;
  private RuntimeState state;

  @BeforeEach
  void open() {
    server = RedisServer.start();
    proxy = FaultProxy.start(vertx, server.port());
    state = open(5);
  }

  @AfterEach
  void close() {
    get(state.close());
    proxy.close();
    server.close();
    get(vertx.close());
  }

  private RuntimeState open(int blockingLanes) {
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setBackend(BackendMode.REDIS)
            .setCloseTimeout(Duration.ofMillis(200));
    options
        .getRedis()
        .setUrl(proxy.uri())
        .setBlockingLanes(blockingLanes)
        .setOpenTimeout(Duration.ofSeconds(10));
    return get(RuntimeState.open(vertx, options));
  }

  private Future<List<QueueEntry>> block(String stream, Duration time) {
    return state.queues().read(stream, GROUP, "c", 1, time);
  }

  private void ensure(String stream) {
    get(state.queues().ensureGroup(stream, GROUP));
  }

  private String append(String stream, String value) {
    return get(state.queues().append(stream, Map.of("f", value)));
  }

  private void awaitBlocked(int reads) {
    try (RedisSide side = server.side()) {
      Await.until(
          () -> side.clientList().stream().filter(BlockedReadFaultTest::isBlocked).count() == reads,
          reads + " reads wait at the server");
    }
  }

  /** The flag of a client that waits in a blocking operation. */
  private static boolean isBlocked(Map<String, String> client) {
    return client.get("flags").contains("b");
  }

  @Test
  @DisplayName("D01 of five readers that wait one is served at once, and nobody else is delayed")
  void readersDelayNobody() {
    List<Future<List<QueueEntry>>> reads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ensure("q" + i);
      reads.add(block("q" + i, LONG));
    }
    awaitBlocked(5);
    try (Lag lag = Lag.measure()) {
      long startedAt = System.nanoTime();
      get(state.kv().get("k"));
      long answeredAt = System.nanoTime();
      String id = append("q4", "v");
      assertThat(get(reads.get(4))).extracting(QueueEntry::id).containsExactly(id);
      long servedAt = System.nanoTime();
      assertThat(millis(answeredAt - startedAt)).isLessThan(50 + 3 * lag.millis());
      assertThat(millis(servedAt - answeredAt)).isLessThan(100 + 3 * lag.millis());
    }
    assertThat(reads.subList(0, 4)).noneMatch(Future::isComplete);
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }

  @Test
  @DisplayName("D03 thousands of reads that wait use one connection")
  void lanesAreUsedAgain() {
    ensure("q");
    get(block("q", Duration.ofMillis(1)));
    long accepted = proxy.accepted();
    for (int i = 0; i < 2_000; i++) {
      Future<List<QueueEntry>> read = block("q", LONG);
      append("q", "v");
      assertThat(get(read)).hasSize(1);
    }
    assertThat(proxy.accepted()).isEqualTo(accepted);
  }

  @Test
  @DisplayName("A03 a held lane holds up nothing else; what was waiting for it gets its turn")
  void heldLane() {
    get(state.close());
    state = open(1);
    ensure("held");
    ensure("q");
    Future<List<QueueEntry>> holder = block("held", LONG);
    awaitBlocked(1);
    Future<List<QueueEntry>> behind = block("q", LONG);
    try (RedisSide side = server.side()) {
      side.command("SCRIPT", "FLUSH");
    }
    List<Future<?>> others = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      others.add(state.kv().increment("n", 1, Duration.ofMinutes(1))); // needs a script
      others.add(state.queues().ensureGroup("made" + i, GROUP));
    }
    others.forEach(Await::get);
    assertThat(get(state.kv().get("n"))).contains("50");
    append("held", "v");
    assertThat(get(holder)).hasSize(1);
    append("q", "v");
    assertThat(get(behind)).hasSize(1);
  }

  @Test
  @DisplayName(
      "D07 a read whose connection is cut fails once, is not sent again, and takes nothing")
  void cutWhileWaiting() {
    ensure("q");
    Future<List<QueueEntry>> read = block("q", LONG);
    awaitBlocked(1);
    proxy.cut();
    RuntimeStateException failure = (RuntimeStateException) Await.failure(read);
    assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(failure.mayHaveBeenApplied()).isTrue();
    awaitBlocked(0);
    Await.until(this::works, "the lanes are back");
    String id = append("q", "v");
    assertThat(get(block("q", LONG))).extracting(QueueEntry::id).containsExactly(id);
    assertThat(get(state.queues().stats("q", GROUP)).pending()).isEqualTo(1);
  }

  private boolean works() {
    Future<?> call = state.kv().get("k");
    Await.until(call::isComplete, "it ends");
    return call.succeeded();
  }

  @Test
  @DisplayName("B01 a read that waits at a silent server ends a second after its time, on no lane")
  void silentServer() {
    ensure("q");
    proxy.stall();
    try (Lag lag = Lag.measure()) {
      long startedAt = System.nanoTime();
      Future<List<QueueEntry>> read =
          state.execute(
              new QueueOperation.Read("q", GROUP, "c", 1, Optional.of(Duration.ofMillis(100))),
              Duration.ofMillis(100));
      RuntimeStateException failure = (RuntimeStateException) Await.failure(read);
      assertThat(failure.code()).isEqualTo(FailureCode.TIMED_OUT);
      assertThat(millis(System.nanoTime() - startedAt))
          .isBetween(1_100L, 1_300L + 3 * lag.millis());
    } finally {
      proxy.resume();
    }
    awaitBlocked(0);
    String id = append("q", "v");
    assertThat(get(block("q", LONG))).extracting(QueueEntry::id).containsExactly(id);
  }

  @Test
  @DisplayName("D07 L19 a worker outlives cuts and restarts by itself and misses nothing")
  void workerOutlivesFaults() {
    Set<String> handled = ConcurrentHashMap.newKeySet();
    QueueWorker worker =
        state
            .queues()
            .worker(
                new QueueWorkerOptions("q", GROUP, "w")
                    .setBlock(Duration.ofSeconds(5))
                    .setMinIdle(Duration.ofMillis(500))
                    .setReclaimInterval(Duration.ofMillis(100)),
                message -> {
                  handled.add(message.fields().get("f"));
                  return Future.succeededFuture();
                });
    get(worker.start());
    int appended = 0;
    for (int round = 0; round < 9; round++) {
      for (int i = 0; i < 5; i++) {
        appendSurely("q", "m" + appended++);
      }
      strike(round);
      assertThat(worker.isRunning()).isTrue();
    }
    int all = appended;
    Await.until(() -> handled.size() == all, "all arrive");
    Await.until(() -> get(state.queues().stats("q", GROUP)).pending() == 0, "all are done");
    get(worker.close());
  }

  private void strike(int round) {
    switch (round % 3) {
      case 0 -> proxy.cut();
      case 1 -> proxy.hangUp();
      default -> server.restartKeepingData();
    }
  }

  /** Again until it is acknowledged; what was appended twice is one message to the handler. */
  private void appendSurely(String stream, String value) {
    Await.until(
        () -> {
          Future<?> append = state.queues().append(stream, Map.of("f", value));
          Await.until(append::isComplete, "it ends");
          return append.succeeded();
        },
        "it is appended");
  }

  @Test
  @DisplayName("D07 readers in line for a lane get one when the server is back")
  void lineOutlivesAStop() {
    get(state.close());
    state = open(1);
    ensure("q");
    server.save();
    server.kill();
    List<Future<List<QueueEntry>>> reads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      reads.add(block("q", Duration.ofSeconds(15)));
    }
    server.startAgain();
    Await.until(this::works, "the lanes are back");
    for (int i = 0; i < 3; i++) {
      append("q", "v" + i);
    }
    reads.forEach(read -> assertThat(get(read)).hasSize(1));
    assertThat(get(state.execute(new KvOperation.Get("k")))).isEmpty();
  }
}
