package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyValue;
import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.RateOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.HashSlots;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisCluster;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Three masters with replicas. The cases that take servers away come last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterTest extends RedisTest {
  private static RedisCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster = RedisCluster.start("requirepass secret", "masterauth secret");
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  private RuntimeStateOptions options(int timeoutMillis) {
    return options("redis://unused")
        .setRedis(cluster.options())
        .setCommandTimeout(Duration.ofMillis(timeoutMillis));
  }

  private static List<String> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
  }

  private static List<KeyValue> entries(int count) {
    return keys(count).stream().map(key -> new KeyValue(key, key)).toList();
  }

  private static int slotOf(String key) {
    return HashSlots.of("ClusterTest:d:" + key);
  }

  /** One of our keys that belongs to the n-th master as it was in the beginning. */
  private static String keyOf(int master) {
    return keys(1_000).stream()
        .filter(key -> slotOf(key) * 3 / HashSlots.COUNT == master)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("E01: many keys work across slots, each answer in its place")
  void manyKeys() {
    StateBackend backend = open(options(10_000));
    run(backend, new KvOperation.SetMany(entries(3_000), Optional.empty()));
    List<String> asked =
        Stream.of(keys(3_000), List.of("k7", "none", "k7")).flatMap(List::stream).toList();
    List<Optional<String>> values = run(backend, new KvOperation.GetMany(asked));
    for (int i = 0; i < asked.size(); i++) {
      assertThat(values.get(i))
          .isEqualTo(Optional.of(asked.get(i)).filter(key -> !key.equals("none")));
    }
    assertThat(ScanTest.scanAll(backend, "k*", 100, page -> {})).hasSize(3_000);
    assertThat(ScanTest.scanAll(backend, "k7*", 10_000, page -> {})).hasSize(111);
    assertThat(run(backend, new KeyOperation.DeleteMany(asked))).isEqualTo(3_000);
    assertThat(ScanTest.scanAll(backend, "*", 100, page -> {})).isEmpty();
  }

  @Test
  @DisplayName("checks of one turn travel together if they share a slot, and all are decided")
  void checksOfOneTurn() {
    StateBackend backend = open(options(10_000));
    long before = scriptCalls();
    List<Future<RateDecision>> decisions =
        onLoop(
            () ->
                IntStream.range(0, 600)
                    .mapToObj(i -> backend.execute(check("{t" + i % 5 + "}k" + i % 20, i)))
                    .toList());
    for (int i = 0; i < 600; i++) {
      assertThat(Await.get(decisions.get(i)))
          .isEqualTo(new RateDecision.Allowed(99 - i / 20, 100, Optional.empty()));
    }
    assertThat(scriptCalls() - before).isLessThan(60);
  }

  private static RateOperation.Consume check(String key, int number) {
    List<RateScope> scopes =
        List.of(new RateScope("a", key, 100), new RateScope("b", key + "-" + number, 100));
    return new RateOperation.Consume(scopes, 1, Duration.ofMinutes(1), 1, Optional.empty());
  }

  private static long scriptCalls() {
    long calls = 0;
    for (RedisServer master : cluster.masters()) {
      try (RedisSide side = master.side()) {
        calls += side.commandStat("evalsha");
      }
    }
    return calls;
  }

  @Test
  @DisplayName("every master has the scripts, and gets them again")
  void scriptsOnEveryMaster() {
    StateBackend backend = open(options(2_000));
    List<KeyValue> spread = entries(300);
    run(backend, new KvOperation.SetMany(spread, Optional.empty()));
    for (RedisServer master : cluster.masters()) {
      try (RedisSide side = master.side()) {
        side.command("SCRIPT", "FLUSH");
      }
    }
    List<Future<Boolean>> swaps =
        spread.stream()
            .map(each -> backend.execute(compareAndSet(each.key(), each.value(), "w")))
            .toList();
    assertThat(swaps).allSatisfy(swap -> assertThat(Await.get(swap)).isTrue());
    run(backend, new KeyOperation.DeleteMany(keys(300)));
  }

  @Test
  void diagnosticsAndHealthOfAll() {
    StateBackend backend = open(options(2_000));
    run(backend, new KvOperation.SetMany(entries(100), Optional.empty()));
    var diagnostics = run(backend, new SystemOperation.Diagnostics()).orElseThrow();
    long sum = 0;
    for (RedisServer master : cluster.masters()) {
      try (RedisSide side = master.side()) {
        sum += Long.parseLong(side.info("stats").get("total_connections_received"));
      }
    }
    assertThat(diagnostics.totalConnectionsReceived().getAsLong()).isBetween(sum - 6, sum);
    assertThat(diagnostics.lanes().get(0).connections()).isEqualTo(3);
    assertThat(run(backend, new SystemOperation.Health()).up()).isTrue();
    assertThat(run(backend, new SystemOperation.Info()).topology()).contains("cluster");
  }

  @Test
  void wrongPasswordFailsOpen() {
    RuntimeStateOptions options = options(15_000);
    options.getRedis().setPassword("wrong");
    assertThat(failure(opening(options)).code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
  }

  @Test
  void aServerOutsideOfClustersFailsOpen() {
    RuntimeStateOptions options = options(2_000);
    options.getRedis().setUrl(RedisServer.shared().uri()).setEndpoints(List.of());
    RuntimeStateException failure = failure(opening(options));
    assertThat(failure.code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
    assertThat(failure).hasMessageContaining("redis.topology");
  }

  @Test
  @Order(Order.DEFAULT + 1)
  @DisplayName("a slot that moves under load: no redirection reaches a caller, nothing is lost")
  void movingSlot() {
    StateBackend backend = open(options(5_000));
    List<String> names = IntStream.range(0, 200).mapToObj(i -> "{move}" + i).toList();
    names.forEach(name -> run(backend, set(name, "0")));
    int slot = slotOf("{move}");
    RedisServer from = cluster.nodes().get(slot * 3 / HashSlots.COUNT);
    RedisServer to = cluster.nodes().get((slot * 3 / HashSlots.COUNT + 1) % 3);
    List<Future<?>> calls = new ArrayList<>();
    try (RedisSide source = from.side();
        RedisSide target = to.side()) {
      String sourceId = (String) source.command("CLUSTER", "MYID");
      String targetId = (String) target.command("CLUSTER", "MYID");
      String number = Integer.toString(slot);
      target.command("CLUSTER", "SETSLOT", number, "IMPORTING", sourceId);
      source.command("CLUSTER", "SETSLOT", number, "MIGRATING", targetId);
      for (String name : names) {
        calls.add(backend.execute(increment(name)));
        calls.add(backend.execute(new KvOperation.GetMany(names)));
        source.command(
            "MIGRATE",
            "127.0.0.1",
            Integer.toString(to.port()),
            "ClusterTest:d:" + name,
            "0",
            "5000",
            "AUTH",
            "secret");
        calls.add(backend.execute(increment(name)));
      }
      target.command("CLUSTER", "SETSLOT", number, "NODE", targetId);
      source.command("CLUSTER", "SETSLOT", number, "NODE", targetId);
    }
    names.forEach(name -> calls.add(backend.execute(increment(name))));
    calls.forEach(Await::get);
    assertThat(run(backend, new KvOperation.GetMany(names))).containsOnly(Optional.of("3"));
    run(backend, new KeyOperation.DeleteMany(names));
  }

  @Test
  @Order(Order.DEFAULT + 1)
  @DisplayName("CLUSTERDOWN: a slot that nobody serves is waited for, within the deadline")
  void unservedSlot() {
    StateBackend backend = open(options(10_000));
    String slot = Integer.toString(slotOf("{down}"));
    RedisServer owner = cluster.nodes().get(slotOf("{down}") * 3 / HashSlots.COUNT);
    cluster.nodes().forEach(node -> command(node, "CLUSTER", "DELSLOTS", slot));
    Await.until(() -> cluster.nodes().stream().noneMatch(ClusterTest::hasAllSlots), "it is free");
    Future<Long> patient = backend.execute(increment("{down}"));
    Await.until(() -> isRefused(backend.execute(increment("{down}"), 300)), "the refusal is told");
    assertThat(patient.isComplete()).isFalse();
    command(owner, "CLUSTER", "ADDSLOTS", slot);
    assertThat(Await.get(patient)).isEqualTo(1);
    Await.until(() -> cluster.nodes().stream().allMatch(ClusterTest::hasAllSlots), "all know");
    run(backend, new KeyOperation.Delete("{down}"));
  }

  /** A try that is under way at the deadline times out instead, as its answer is not known. */
  private static boolean isRefused(Future<?> call) {
    RuntimeStateException failure = failure(call);
    assertThat(failure.code()).isIn(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT);
    return failure.code() == FailureCode.UNAVAILABLE && !failure.mayHaveBeenApplied();
  }

  private static boolean hasAllSlots(RedisServer node) {
    return command(node, "CLUSTER", "INFO").contains("cluster_slots_assigned:16384");
  }

  private static String command(RedisServer node, String... words) {
    try (RedisSide side = node.side()) {
      return (String) side.command(words);
    }
  }

  @Test
  @Order(Order.DEFAULT + 1)
  @DisplayName("TRYAGAIN: keys on both sides of a moving slot are waited for, and count once")
  void keysOnBothSides() {
    StateBackend backend = open(options(10_000));
    List<RateScope> scopes =
        List.of(new RateScope("a", "{half}a", 9), new RateScope("b", "{half}b", 9));
    var consume = new RateOperation.Consume(scopes, 1, Duration.ofMinutes(5), 1, Optional.empty());
    assertThat(run(backend, consume).isAllowed()).isTrue();
    int number = HashSlots.of("ClusterTest:rl:1:{half}a");
    String slot = Integer.toString(number);
    RedisServer from = cluster.nodes().get(number * 3 / HashSlots.COUNT);
    RedisServer to = cluster.nodes().get((number * 3 / HashSlots.COUNT + 1) % 3);
    String fromId = command(from, "CLUSTER", "MYID");
    String toId = command(to, "CLUSTER", "MYID");
    command(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
    command(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
    move(from, to, "ClusterTest:rl:1:{half}a");
    Future<RateDecision> patient = backend.execute(consume);
    Await.until(() -> isRefused(backend.execute(consume, 300)), "the refusal is told");
    assertThat(patient.isComplete()).isFalse();
    move(from, to, "ClusterTest:rl:1:{half}b");
    command(to, "CLUSTER", "SETSLOT", slot, "NODE", toId);
    command(from, "CLUSTER", "SETSLOT", slot, "NODE", toId);
    assertThat(Await.get(patient).isAllowed()).isTrue();
    assertThat(run(backend, new RateOperation.Count("{half}b", 1))).isEqualTo(2);
  }

  @Test
  @Order(Order.DEFAULT + 1)
  @DisplayName("TRYAGAIN: checks that travel together do not wait for each other's keys to move")
  void checksOnBothSides() {
    StateBackend backend = open(options(5_000));
    for (int i = 0; i < 10; i++) {
      assertThat(run(backend, check("{both}" + i)).isAllowed()).isTrue();
    }
    int number = HashSlots.of("ClusterTest:rl:1:{both}0");
    String slot = Integer.toString(number);
    RedisServer from = cluster.nodes().get(number * 3 / HashSlots.COUNT);
    RedisServer to = cluster.nodes().get((number * 3 / HashSlots.COUNT + 1) % 3);
    String fromId = command(from, "CLUSTER", "MYID");
    String toId = command(to, "CLUSTER", "MYID");
    command(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
    command(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
    for (int i = 0; i < 5; i++) {
      move(from, to, "ClusterTest:rl:1:{both}" + i);
    }
    List<Future<RateDecision>> checks =
        onLoop(
            () ->
                IntStream.range(0, 100)
                    .mapToObj(i -> backend.execute(check("{both}" + i % 10)))
                    .toList());
    checks.forEach(check -> assertThat(Await.get(check).isAllowed()).isTrue());
    for (int i = 5; i < 10; i++) {
      move(from, to, "ClusterTest:rl:1:{both}" + i);
    }
    command(to, "CLUSTER", "SETSLOT", slot, "NODE", toId);
    command(from, "CLUSTER", "SETSLOT", slot, "NODE", toId);
    for (int i = 0; i < 10; i++) {
      assertThat(run(backend, new RateOperation.Count("{both}" + i, 1))).isEqualTo(11);
    }
  }

  private static RateOperation.Consume check(String key) {
    return new RateOperation.Consume(
        List.of(new RateScope("s", key, 1_000)), 1, Duration.ofMinutes(5), 1, Optional.empty());
  }

  private static void move(RedisServer from, RedisServer to, String key) {
    String port = Integer.toString(to.port());
    command(from, "MIGRATE", "127.0.0.1", port, key, "0", "5000", "AUTH", "secret");
  }

  @Test
  @Order(Order.DEFAULT + 2)
  @DisplayName("a dead master hurts only its slots, which come back after the fail-over")
  void deadMaster() {
    StateBackend backend = open(options(1_000));
    run(backend, new KvOperation.SetMany(entries(100), Optional.empty()));
    List<KeyValue> all = entries(20_000);
    Await.get(backend.execute(new KvOperation.SetMany(all, Optional.empty()), 20_000));
    String first = keyOf(0);
    String second = keyOf(1);
    String third = keyOf(2);
    RedisServer dead = cluster.nodes().get(0);
    dead.kill();
    long killedAt = System.nanoTime();
    int failed = 0;
    boolean back = false;
    while (!back) {
      run(backend, set(second, "v"));
      assertThat(run(backend, compareAndSet(third, third, third))).isTrue();
      Future<Void> call = backend.execute(set(first, "v"));
      Await.until(call::isComplete, "it completes");
      back = call.succeeded();
      failed += back ? 0 : 1;
      assertThat(System.nanoTime() - killedAt).isLessThan(Duration.ofSeconds(15).toNanos());
      if (!back) {
        assertThat(failure(call).code()).isIn(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT);
      }
    }
    assertThat(failed).isLessThan(10);
    assertThat(run(backend, compareAndSet(first, "v", "w"))).isTrue();
    dead.startAgain();
    Await.until(() -> cluster.masters().size() == 3, "it is a replica now");
    for (int i = 0; i < 3; i++) {
      run(backend, new KvOperation.GetMany(keys(100)));
    }
    Await.until(() -> backend.figures().get("lane.fast.connections") == 3, "one per master");
  }

  @Test
  @Order(Order.DEFAULT + 3)
  @DisplayName("a runtime opens although a master is dead")
  void opensWithoutOne() {
    RedisServer dead = cluster.masters().get(0);
    dead.kill();
    try {
      StateBackend backend = open(options(10_000));
      for (String key : List.of(keyOf(0), keyOf(1), keyOf(2))) {
        run(backend, set(key, "v"));
      }
    } finally {
      dead.startAgain();
    }
  }

  @Test
  @Order(Order.DEFAULT + 4)
  @DisplayName("a frozen master is replaced as well")
  void frozenMaster() {
    StateBackend backend = open(options(500));
    keys(100).forEach(key -> run(backend, set(key, "v")));
    RedisServer frozen = cluster.masters().get(0);
    frozen.pause();
    try {
      long pausedAt = System.nanoTime();
      Await.until(() -> worksEverywhere(backend), Duration.ofSeconds(15), "it works again");
      assertThat(Duration.ofNanos(System.nanoTime() - pausedAt)).isLessThan(Duration.ofSeconds(10));
    } finally {
      frozen.resume();
    }
    Await.until(() -> worksEverywhere(backend), Duration.ofSeconds(15), "it works again");
  }

  private static boolean worksEverywhere(StateBackend backend) {
    List<Future<Void>> all = keys(100).stream().map(key -> backend.execute(set(key, "v"))).toList();
    Future<?> done = Future.join(all);
    Await.until(done::isComplete, "all complete");
    return done.succeeded();
  }
}
