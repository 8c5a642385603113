package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.ConsumerInfo;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reads that wait, and workers, while connections and servers fail. */
class QueueFaultTest {
  private static final Duration BLOCK = Duration.ofSeconds(30);
  private static final Duration AT_ONCE = Duration.ofMillis(300);

  private final Vertx vertx = Vertx.vertx();
  private final List<RuntimeState> opened = new ArrayList<>();
  private RedisServer server; // of its own: it counts connections and commands
  private FaultProxy proxy;

  @BeforeEach
  void start() {
    server = RedisServer.start();
    proxy = FaultProxy.start(vertx, server.port());
  }

  @AfterEach
  void stop() {
    opened.forEach(state -> get(state.close()));
    proxy.close();
    get(vertx.close());
    server.close();
  }

  private RuntimeState open(String uri, int lanes, int timeoutMillis) {
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setKeyPrefix("q")
            .setCommandTimeout(Duration.ofMillis(timeoutMillis))
            .setCloseTimeout(Duration.ofMillis(200));
    options.getRedis().setUrl(uri).setBlockingLanes(lanes).setOpenTimeout(Duration.ofSeconds(10));
    RuntimeState state = get(RuntimeState.open(vertx, options));
    opened.add(state);
    return state;
  }

  private RuntimeState open() {
    return open(server.uri(), 4, 5_000);
  }

  private static Future<List<QueueEntry>> block(RuntimeState state, String stream, String by) {
    return state.queues().read(stream, "g", by, 1, BLOCK);
  }

  private static String append(RuntimeState state, String stream) {
    return get(state.queues().append(stream, Map.of("f", "v")));
  }

  private void awaitWaiting(int count) {
    Await.until(() -> blocked() == count, count + " wait at the server");
  }

  private int blocked() {
    try (RedisSide side = server.side()) {
      return Integer.parseInt(side.info("clients").get("blocked_clients"));
    }
  }

  private static void assertWithin(Duration limit, Runnable step) {
    long before = System.nanoTime();
    step.run();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(limit);
  }

  @Test
  @DisplayName("D01 C301 reads that wait on all lanes delay nothing, and the next has sent nothing")
  void fullLanesDelayNobody() {
    RuntimeState state = open();
    Queues queues = state.queues();
    List<Future<List<QueueEntry>>> readers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      get(queues.ensureGroup("s" + i, "g"));
    }
    append(state, "s4");
    List<String> mine = ids(get(queues.read("s4", "g", "mine")));
    LockLease lease =
        get(state.locks().tryAcquire("lock", "owner", Duration.ofSeconds(20))).orElseThrow();
    int lanes = new RedisOptions().effectiveBlockingLanes();
    for (int i = 0; i < lanes + 1; i++) {
      readers.add(block(state, "s" + i % 4, "c" + i));
    }
    awaitWaiting(lanes);
    assertWithin(
        AT_ONCE,
        () -> {
          get(state.kv().set("k", "v"));
          assertThat(get(state.kv().get("k"))).contains("v");
          append(state, "s4");
          assertThat(get(queues.read("s4", "g", "other"))).hasSize(1);
          assertThat(get(queues.extend("s4", "g", "mine", mine))).isEqualTo(1);
          assertThat(get(queues.claim("s4", "g", "mine", Duration.ofHours(1))).isLast()).isTrue();
          assertThat(get(state.locks().renew(lease, Duration.ofSeconds(20)))).isTrue();
        });
    assertThat(readers).noneMatch(Future::isComplete);
    assertThat(blocked()).isEqualTo(lanes);
    try (RedisSide side = server.side()) {
      assertThat(side.command("XINFO", "CONSUMERS", "q:d:s" + lanes % 4, "g").toString())
          .doesNotContain("c" + lanes);
    }
    assertWithin(
        AT_ONCE,
        () -> {
          append(state, "s3");
          assertThat(get(readers.get(3))).hasSize(1);
        });
  }

  private static List<String> ids(List<QueueEntry> entries) {
    return entries.stream().map(QueueEntry::id).toList();
  }

  @Test
  @DisplayName("9.5 of 80 reads that block at most 64 do so at the server")
  void lanesAreBounded() {
    RuntimeState state = open(server.uri(), 1_000, 5_000);
    get(state.queues().ensureGroup("s", "g"));
    List<Future<List<QueueEntry>>> readers = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      readers.add(block(state, "s", "c" + i));
    }
    awaitWaiting(64);
    List<String> received = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      append(state, "s");
    }
    readers.forEach(reader -> received.addAll(ids(get(reader))));
    assertThat(received).hasSize(80).doesNotHaveDuplicates();
    assertThat(get(state.statistics()).blockedReads()).isZero();
  }

  @Test
  @DisplayName("C347 more reads than lanes: all answer in time and every entry is delivered once")
  void moreReadsThanLanes() {
    RuntimeState state = open();
    get(state.queues().ensureGroup("s", "g"));
    List<Future<List<QueueEntry>>> readers = new ArrayList<>();
    long before = System.nanoTime();
    for (int i = 0; i < 40; i++) {
      readers.add(state.queues().read("s", "g", "c" + i, 1, Duration.ofMillis(300)));
    }
    List<String> appended = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      appended.add(append(state, "s"));
    }
    List<String> received = new ArrayList<>();
    readers.forEach(reader -> received.addAll(ids(get(reader))));
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(1_300));
    assertThat(received).containsExactlyInAnyOrderElementsOf(appended);
  }

  @Test
  @DisplayName("C302 a stalled connection is closed with its read; the next append goes elsewhere")
  void stalledRead() {
    RuntimeState stalling = open(proxy.uri(), 4, 500);
    RuntimeState direct = open();
    get(direct.queues().ensureGroup("s", "g"));
    assertThat(get(stalling.kv().get("k"))).isEmpty();
    long connections = proxy.open();
    Future<List<QueueEntry>> stalled =
        stalling.queues().read("s", "g", "stalled", 1, Duration.ofMillis(400));
    awaitWaiting(1);
    proxy.stall();
    RuntimeStateException failure = (RuntimeStateException) Await.failure(stalled);
    assertThat(failure.code()).isEqualTo(FailureCode.TIMED_OUT);
    assertThat(failure.mayHaveBeenApplied()).isTrue();
    proxy.resume();
    awaitWaiting(0);
    Await.until(() -> proxy.open() <= connections, "its connection is closed");
    Future<List<QueueEntry>> next = block(direct, "s", "next");
    String id = append(direct, "s");
    assertThat(ids(get(next))).containsExactly(id);
    assertThat(get(direct.queues().pending("s", "g")).entries())
        .allSatisfy(entry -> assertThat(entry.consumer()).isEqualTo("next"));
  }

  @Test
  @DisplayName("a server that falls silent under a read: it ends by its deadline, later ones work")
  void silentServer() {
    RuntimeState state = open(server.uri(), 4, 500);
    RuntimeState patient = open();
    get(patient.queues().ensureGroup("s", "g"));
    Future<List<QueueEntry>> reader = state.queues().read("s", "g", "c", 1, Duration.ofMillis(300));
    awaitWaiting(1);
    server.pause();
    try {
      long before = System.nanoTime();
      assertThat(((RuntimeStateException) Await.failure(reader)).code())
          .isEqualTo(FailureCode.TIMED_OUT);
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
    } finally {
      server.resume();
    }
    Await.until(() -> succeeds(state.kv().get("k")), "the server is used again");
    Future<List<QueueEntry>> next = block(state, "s", "c");
    String id = append(patient, "s");
    assertThat(ids(get(next))).containsExactly(id);
  }

  private static boolean succeeds(Future<?> call) {
    Await.until(call::isComplete, "it completes");
    return call.succeeded();
  }

  @Test
  @DisplayName("a read that is ended gives its connection up, and swallows nothing")
  void endedRead() {
    RuntimeState state = open();
    get(state.queues().ensureGroup("s", "g"));
    QueueWorker worker =
        state
            .queues()
            .worker(
                new QueueWorkerOptions("s", "g", "w").setBlock(BLOCK),
                message -> Future.succeededFuture());
    get(worker.start());
    awaitWaiting(1);
    int connections = connections();
    assertWithin(Duration.ofSeconds(2), () -> get(worker.close()));
    Await.until(() -> connections() < connections, "its connection is closed");
    assertThat(blocked()).isZero();
    String id = append(state, "s");
    assertThat(ids(get(state.queues().read("s", "g", "other")))).containsExactly(id);
  }

  private int connections() {
    try (RedisSide side = server.side()) {
      return side.clientList().size();
    }
  }

  @Test
  @DisplayName("D03 one connection serves 5 000 messages of one consumer")
  void lanesAreReused() {
    RuntimeState state = open(proxy.uri(), 4, 5_000);
    get(state.queues().ensureGroup("s", "g"));
    Future<List<QueueEntry>> first = block(state, "s", "c");
    append(state, "s");
    get(first);
    long accepted = proxy.accepted();
    for (int i = 0; i < 5_000; i += 50) {
      Future<List<QueueEntry>> reader = state.queues().read("s", "g", "c", 50, BLOCK);
      get(state.queues().appendAll("s", Collections.nCopies(50, Map.of("f", "v"))));
      int received = get(reader).size();
      while (received < 50) {
        received += get(state.queues().read("s", "g", "c", 50 - received, BLOCK)).size();
      }
    }
    assertThat(proxy.accepted()).isEqualTo(accepted);
  }

  @Test
  @DisplayName("D05 an idle worker asks once in a block, and a read without one asks once")
  void idleWorkerIsQuiet() {
    RuntimeState state = open();
    get(state.queues().ensureGroup("s", "g"));
    assertThat(get(state.queues().read("s", "g", "c"))).isEmpty();
    assertThat(get(state.queues().read("s", "g", "c", 1, Duration.ofMillis(1)))).isEmpty();
    try (RedisSide side = server.side()) {
      long before = side.commandStat("xreadgroup");
      QueueWorker worker =
          state
              .queues()
              .worker(
                  new QueueWorkerOptions("s", "g", "w").setBlock(Duration.ofMillis(250)),
                  message -> Future.succeededFuture());
      get(worker.start());
      Await.until(() -> side.commandStat("xreadgroup") >= before + 4, "it goes on reading");
      long since = System.nanoTime();
      Await.until(() -> side.commandStat("xreadgroup") >= before + 8, "and on");
      assertThat(Duration.ofNanos(System.nanoTime() - since))
          .isGreaterThan(Duration.ofMillis(3 * 250));
      get(worker.close());
    }
  }

  @Test
  @DisplayName(
      "D07 C366 connections cut at random: all is handled, and the worker never falls silent")
  void cutAtRandom() {
    RuntimeState producer = open();
    RuntimeState consumer = open(proxy.uri(), 4, 2_000);
    Queue<String> handled = new ConcurrentLinkedQueue<>();
    QueueWorker worker =
        consumer
            .queues()
            .worker(
                new QueueWorkerOptions("s", "g", "w")
                    .setBlock(Duration.ofMillis(500))
                    .setMinIdle(Duration.ofMillis(500)),
                message -> {
                  handled.add(message.id());
                  return Future.succeededFuture();
                });
    get(worker.start());
    Random random = new Random(366);
    List<String> appended = new ArrayList<>();
    for (int cut = 0; cut < 25; cut++) {
      for (int i = random.nextInt(5); i >= 0; i--) {
        appended.add(append(producer, "s"));
        get(vertx.timer(1 + random.nextInt(30)));
      }
      proxy.cut();
    }
    long before = System.nanoTime();
    Await.until(() -> handled.containsAll(appended), "everything is handled");
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(3_500));
    Await.until(() -> get(producer.queues().stats("s")).length() == 0, "and acknowledged");
    assertThat(worker.isRunning()).isTrue();
  }

  @Test
  @DisplayName("L17 L19 a server that forgets everything: the worker goes on, and says little")
  void serverForgets() {
    RuntimeState state = open();
    Queue<Throwable> heard = new ConcurrentLinkedQueue<>();
    Queue<String> handled = new ConcurrentLinkedQueue<>();
    QueueWorker worker =
        state
            .queues()
            .worker(
                new QueueWorkerOptions("s", "g", "w").setBlock(Duration.ofMillis(500)),
                message -> {
                  handled.add(message.id());
                  return Future.succeededFuture();
                });
    worker.exceptionHandler(heard::add);
    get(worker.start());
    requireHandles(state, handled);
    server.kill();
    Await.until(() -> !heard.isEmpty(), "it says that the server is away");
    assertThat(worker.isRunning()).isTrue();
    assertThat(worker.status().lastError().orElseThrow()).contains("RuntimeStateException");
    server.startAgain(); // empty
    requireHandles(state, handled);
    assertThat(worker.status().groupRecreated()).isEqualTo(1);
    try (RedisSide side = server.side()) {
      long reads = side.commandStat("xreadgroup");
      side.command("FLUSHALL");
      Await.until(() -> worker.status().groupRecreated() == 2, "the group is back");
      requireHandles(state, handled);
      assertThat(side.commandStat("xreadgroup") - reads).isLessThan(30);
    }
    assertThat(heard).hasSizeLessThan(20);
    get(worker.close());
  }

  @Test
  @DisplayName("L19 an end that cannot be recorded is told, tried again, and recorded once")
  void endIsNotRecorded() {
    RuntimeState state = open(proxy.uri(), 4, 500);
    Queue<Throwable> heard = new ConcurrentLinkedQueue<>();
    QueueWorker worker =
        state
            .queues()
            .worker(
                new QueueWorkerOptions("s", "g", "w"),
                message -> {
                  proxy.refuse();
                  proxy.cut();
                  return Future.succeededFuture();
                });
    worker.exceptionHandler(heard::add);
    get(worker.start());
    append(open(), "s");
    Await.until(() -> !heard.isEmpty(), "it says that the server is away");
    assertThat(worker.status().handled()).isZero();
    assertThat(worker.status().lastError()).isPresent();
    proxy.accept();
    Await.until(() -> worker.status().handled() == 1, "the end is recorded");
    assertThat(worker.status().lost()).isZero();
    get(worker.close());
  }

  private static void requireHandles(RuntimeState state, Queue<String> handled) {
    Queues queues = state.queues();
    Await.until(() -> succeeds(queues.stats("s")), "the server is there");
    String id = append(state, "s");
    Await.until(() -> handled.contains(id), "it is handled");
  }

  @Test
  @DisplayName("9.19.4 a worker that died is removed from the group once its entries are handled")
  void deadConsumerIsRemoved() {
    RuntimeState dying = open(proxy.uri(), 4, 500);
    RuntimeState state = open();
    get(state.queues().ensureGroup("s", "g"));
    append(state, "s");
    get(dying.queues().read("s", "g", "dead"));
    proxy.close();
    QueueWorker worker =
        state
            .queues()
            .worker(
                new QueueWorkerOptions("s", "g", "alive")
                    .setMinIdle(Duration.ofMillis(200))
                    .setReclaimInterval(Duration.ofMillis(50))
                    .setConsumerTtl(Duration.ofMillis(400)),
                message -> Future.succeededFuture());
    get(worker.start());
    Await.until(() -> worker.status().handled() == 1, "its entry is taken over");
    Await.until(
        () ->
            get(state.queues().groups("s")).get(0).consumers().stream()
                .map(ConsumerInfo::name)
                .noneMatch("dead"::equals),
        "it is removed");
    get(worker.close());
    proxy = FaultProxy.start(vertx, server.port());
  }
}
