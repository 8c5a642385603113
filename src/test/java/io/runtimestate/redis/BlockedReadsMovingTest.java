package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.spi.HashSlots;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FakeRedis;
import io.runtimestate.support.RedisCluster;
import io.runtimestate.support.RedisSentinels;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Reads that wait at a server while another takes its place. Those that end servers come last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BlockedReadsMovingTest extends RedisTest {
  private static final Duration BLOCK = Duration.ofSeconds(15);
  private static RedisCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  private StateBackend openCluster() {
    return open(withTimeout(options("redis://unused").setRedis(cluster.options())));
  }

  private static RuntimeStateOptions withTimeout(RuntimeStateOptions options) {
    return options.setCommandTimeout(Duration.ofSeconds(10));
  }

  private static String physical(String stream) {
    return "BlockedReadsMovingTest:d:" + stream;
  }

  private static int slotOf(String stream) {
    return HashSlots.of(physical(stream));
  }

  private static Future<List<QueueEntry>> block(StateBackend backend, String stream, String by) {
    return backend.execute(new QueueOperation.Read(stream, "g", by, 1, Optional.of(BLOCK)));
  }

  private static void ensure(StateBackend backend, String stream) {
    run(backend, new QueueOperation.EnsureGroup(stream, "g", "0-0"));
  }

  private static String append(StateBackend backend, String stream) {
    return run(backend, new QueueOperation.Append(stream, Map.of("f", "v"), OptionalLong.empty()));
  }

  private static void awaitWaiting(RedisServer server, int count) {
    Await.until(() -> blocked(server) == count, count + " wait at the server");
  }

  private static int blocked(RedisServer server) {
    try (RedisSide side = server.side()) {
      return Integer.parseInt(side.info("clients").get("blocked_clients"));
    }
  }

  /** Lends the slot with its one key to another master, and at last gives it away. */
  private static void move(String stream, Runnable whileLent) {
    RedisServer from = ownerOf(stream);
    RedisServer to =
        cluster.masters().stream()
            .filter(master -> master.port() != from.port())
            .findFirst()
            .orElseThrow();
    String slot = Integer.toString(slotOf(stream));
    try (RedisSide source = from.side();
        RedisSide target = to.side()) {
      String sourceId = (String) source.command("CLUSTER", "MYID");
      String targetId = (String) target.command("CLUSTER", "MYID");
      target.command("CLUSTER", "SETSLOT", slot, "IMPORTING", sourceId);
      source.command("CLUSTER", "SETSLOT", slot, "MIGRATING", targetId);
      String port = Integer.toString(to.port());
      source.command("MIGRATE", "127.0.0.1", port, physical(stream), "0", "5000");
      whileLent.run();
      target.command("CLUSTER", "SETSLOT", slot, "NODE", targetId);
      source.command("CLUSTER", "SETSLOT", slot, "NODE", targetId);
    }
  }

  private static RedisServer ownerOf(String stream) {
    return cluster.masters().stream()
        .filter(master -> owns(master, stream))
        .findFirst()
        .orElseThrow();
  }

  private static boolean owns(RedisServer master, String stream) {
    try (RedisSide side = master.side()) {
      side.command("EXISTS", physical(stream));
      return true;
    } catch (RedisSide.ReplyError moved) {
      return false;
    }
  }

  @Test
  @DisplayName("a read that waits follows its stream to another master")
  void followsItsSlot() {
    StateBackend backend = openCluster();
    ensure(backend, "moves");
    List<Future<List<QueueEntry>>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(block(backend, "moves", "c" + i));
    }
    awaitWaiting(ownerOf("moves"), 3);
    move("moves", () -> {});
    assertThat(readers).noneMatch(Future::isComplete);
    awaitWaiting(ownerOf("moves"), 3);
    for (int i = 0; i < 3; i++) {
      append(backend, "moves");
    }
    readers.forEach(reader -> assertThat(Await.get(reader)).hasSize(1));
    run(backend, new KeyOperation.Delete("moves"));
  }

  @Test
  @DisplayName("an entry appended while the slot is on loan is delivered once")
  void servedWhileOnLoan() {
    StateBackend backend = openCluster();
    ensure(backend, "lent");
    Future<List<QueueEntry>> reader = block(backend, "lent", "c");
    awaitWaiting(ownerOf("lent"), 1);
    List<String> ids = new ArrayList<>();
    move(
        "lent",
        () -> {
          ids.add(append(backend, "lent"));
          assertThat(Await.get(reader)).extracting(QueueEntry::id).isEqualTo(ids);
        });
    run(backend, new KeyOperation.Delete("lent"));
  }

  @Test
  @DisplayName("a read whose time ends while its slot is on loan is empty, and not late")
  void nothingWhileOnLoan() {
    StateBackend backend = openCluster();
    ensure(backend, "patient");
    var read = new QueueOperation.Read("patient", "g", "c", 1, Optional.of(Duration.ofMillis(500)));
    move(
        "patient",
        () -> {
          long before = System.nanoTime();
          assertThat(run(backend, read)).isEmpty();
          assertThat(Duration.ofNanos(System.nanoTime() - before))
              .isBetween(Duration.ofMillis(490), Duration.ofMillis(1_500));
        });
    run(backend, new KeyOperation.Delete("patient"));
  }

  @Test
  @DisplayName("a read that a cluster which is down refuses again and again ends by its deadline")
  void clusterIsDown() {
    try (FakeRedis fake =
        FakeRedis.start(vertx, FakeRedis.polite("7.0.15", BlockedReadsMovingTest::down))) {
      RuntimeStateOptions options = options(fake.uri()).setCommandTimeout(Duration.ofSeconds(2));
      options.getRedis().setOpenTimeout(Duration.ofSeconds(10));
      StateBackend backend = open(options);
      var read = new QueueOperation.Read("s", "g", "waits", 1, Optional.of(Duration.ofMillis(200)));
      long before = System.nanoTime();
      assertThat(failure(backend.execute(read)).code())
          .isIn(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT);
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isBetween(Duration.ofMillis(1_950), Duration.ofMillis(3_500));
    }
  }

  private static String down(List<String> request) {
    return switch (request.get(0).toUpperCase(Locale.ROOT)) {
      case "TIME" -> FakeRedis.array(FakeRedis.bulk("1700000000"), FakeRedis.bulk("5"));
      case "INFO" -> FakeRedis.bulk("redis_version:7.0.15\r\nrun_id:0af\r\n");
      default ->
          request.contains("waits") // and not the look at permissions
              ? FakeRedis.error("CLUSTERDOWN The cluster is down")
              : FakeRedis.ok();
    };
  }

  @Test
  @DisplayName("a read that is ended while its slot moves is ended, and swallows nothing")
  void endedWhileOnLoan() {
    StateBackend backend = openCluster();
    ensure(backend, "ended");
    var read = new QueueOperation.Read("ended", "g", "c", 1, Optional.of(BLOCK));
    Future<List<QueueEntry>> reader = backend.execute(read);
    awaitWaiting(ownerOf("ended"), 1);
    move(
        "ended",
        () -> {
          backend.endRead(read);
          assertThat(Await.get(reader)).isEmpty();
        });
    String id = append(backend, "ended");
    var now = new QueueOperation.Read("ended", "g", "other", 1, Optional.empty());
    assertThat(run(backend, now)).extracting(QueueEntry::id).containsExactly(id);
    run(backend, new KeyOperation.Delete("ended"));
  }

  @Test
  @DisplayName("C303 in a cluster: a stream or group that is gone is gone")
  void goneForGood() {
    StateBackend backend = openCluster();
    ensure(backend, "deleted");
    ensure(backend, "ungrouped");
    Future<List<QueueEntry>> onDeleted = block(backend, "deleted", "c");
    Future<List<QueueEntry>> onUngrouped = block(backend, "ungrouped", "c");
    Await.until(() -> cluster.masters().stream().mapToInt(s -> blocked(s)).sum() == 2, "wait");
    run(backend, new KeyOperation.Delete("deleted"));
    run(backend, new QueueOperation.RemoveGroup("ungrouped", "g"));
    assertThat(failure(onDeleted).code()).isEqualTo(FailureCode.NO_SUCH_STREAM);
    assertThat(failure(onUngrouped).code()).isEqualTo(FailureCode.NO_SUCH_GROUP);
    run(backend, new KeyOperation.Delete("ungrouped"));
  }

  @Test
  @DisplayName("CLIENT UNBLOCK ends a wait as a failure that may be tried again")
  void unblockedByHand() {
    StateBackend backend = openCluster();
    ensure(backend, "hand");
    Future<List<QueueEntry>> reader = block(backend, "hand", "c");
    RedisServer server = ownerOf("hand");
    awaitWaiting(server, 1);
    try (RedisSide side = server.side()) {
      String waiting =
          side.clientList().stream()
              .filter(client -> client.get("flags").contains("b"))
              .findFirst()
              .orElseThrow()
              .get("id");
      side.command("CLIENT", "UNBLOCK", waiting, "ERROR");
    }
    assertThat(failure(reader).code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(failure(reader).mayHaveBeenApplied()).isFalse();
    run(backend, new KeyOperation.Delete("hand"));
  }

  @Test
  @Order(Order.DEFAULT + 1)
  @DisplayName("a master that becomes a replica sends its readers away; they read from the other")
  void demotedMaster() {
    StateBackend backend = openCluster();
    ensure(backend, "demoted");
    Future<List<QueueEntry>> reader = block(backend, "demoted", "c");
    RedisServer old = ownerOf("demoted");
    awaitWaiting(old, 1);
    try (RedisSide replica = replicaOf(old).side()) {
      replica.command("CLUSTER", "FAILOVER");
    }
    assertThat(failure(reader).code()).isEqualTo(FailureCode.UNAVAILABLE);
    requireReadAgain(backend, "demoted");
  }

  private static RedisServer replicaOf(RedisServer master) {
    return cluster.nodes().stream()
        .filter(node -> follows(node, master.port()))
        .findFirst()
        .orElseThrow();
  }

  private static boolean follows(RedisServer node, int port) {
    try (RedisSide side = node.side()) {
      return Integer.toString(port).equals(side.info("replication").get("master_port"));
    }
  }

  /** A new read waits where the stream is now, within its own time. */
  private static void requireReadAgain(StateBackend backend, String stream) {
    Await.until(() -> isServed(backend, stream), "somebody has the stream");
    String id = append(backend, stream);
    List<String> received = new ArrayList<>();
    Await.until(
        () -> {
          Future<List<QueueEntry>> again = block(backend, stream, "c");
          Await.until(again::isComplete, "it completes");
          if (again.succeeded()) {
            again.result().forEach(entry -> received.add(entry.id()));
          } else {
            assertThat(failure(again).code()).isEqualTo(FailureCode.UNAVAILABLE);
          }
          return !received.isEmpty();
        },
        "it is read");
    assertThat(received).containsExactly(id);
  }

  private static boolean isServed(StateBackend backend, String stream) {
    Future<?> stats = backend.execute(new QueueOperation.Stats(stream, Optional.of("g")));
    Await.until(stats::isComplete, "it completes");
    return stats.succeeded();
  }

  @Test
  @Order(Order.DEFAULT + 2)
  @DisplayName("a dead master fails its readers at once; the next read is served by the successor")
  void deadMaster() {
    StateBackend backend = openCluster();
    ensure(backend, "dead");
    Future<List<QueueEntry>> reader = block(backend, "dead", "c");
    RedisServer dead = ownerOf("dead");
    awaitWaiting(dead, 1);
    dead.kill();
    assertThat(failure(reader).code()).isEqualTo(FailureCode.UNAVAILABLE);
    try {
      requireReadAgain(backend, "dead");
    } finally {
      dead.startAgain();
    }
  }

  @Test
  @DisplayName("sentinels: a master that is demoted sends its readers to the new one")
  void sentinelFailOver() {
    try (RedisSentinels sentinels = RedisSentinels.start()) {
      StateBackend backend =
          open(withTimeout(options("redis://unused").setRedis(sentinels.options())));
      ensure(backend, "s");
      Future<List<QueueEntry>> reader = block(backend, "s", "c");
      awaitWaiting(sentinels.servers().get(0), 1);
      sentinels.failOver();
      assertThat(failure(reader).code()).isEqualTo(FailureCode.UNAVAILABLE);
      requireReadAgain(backend, "s");
    }
  }
}
