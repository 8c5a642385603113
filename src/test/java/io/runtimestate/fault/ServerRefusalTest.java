package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Health;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.eventbus.Samples;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.runtimestate.support.SettleCheck;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Servers that answer and refuse. Every operation of the catalogue in all its forms meets the
 * state, none is flagged, nothing is applied, and when the state is over all work again on the
 * connections there are.
 */
class ServerRefusalTest extends RedisTest {
  private static final Set<FailureCode> DEFECTS =
      Set.of(FailureCode.UNEXPECTED_REPLY, FailureCode.INTERNAL, FailureCode.TIMED_OUT);

  private final SettleCheck settle = new SettleCheck();
  private RedisServer server;
  private RedisSide side;
  private StateBackend backend;
  private StateBackend watched;
  private Whole whole;

  @BeforeEach
  void open() {
    server = RedisServer.start("lua-time-limit 20", "key-load-delay 500", "rdbcompression no");
    side = server.side();
    backend = open(options(server.uri()).setCommandTimeout(Duration.ofSeconds(15)));
    watched = settle.watch(backend);
    run(backend, set("stored", "v"));
    whole = Whole.of(backend, server, vertx);
  }

  @AfterEach
  void stop() {
    Await.get(backend.close());
    side.close();
    server.close();
  }

  private Map<Operation<?>, Future<?>> everything() {
    Map<Operation<?>, Future<?>> calls = new LinkedHashMap<>();
    OperationCatalog.all().stream()
        .flatMap(type -> Samples.operations(type).stream())
        .filter(operation -> !waits(operation))
        .forEach(operation -> calls.put(operation, watched.execute(operation)));
    return calls;
  }

  private static boolean waits(Operation<?> operation) {
    return operation instanceof QueueOperation.Read read && read.block().isPresent();
  }

  /** Makes all calls in that state; answers the names of the operations that were refused. */
  private List<String> refused(FailureCode code, String reason) {
    List<String> refused = new ArrayList<>();
    everything()
        .forEach(
            (operation, call) -> {
              Await.until(call::isComplete, operation.name());
              if (isRefused(operation, call, code, reason)) {
                refused.add(operation.name());
              }
            });
    settle.verify();
    return refused;
  }

  private static boolean isRefused(
      Operation<?> operation, Future<?> call, FailureCode code, String reason) {
    if (call.succeeded()) {
      return call.result() instanceof Health health && !health.up();
    }
    RuntimeStateException failure = failure(call);
    assertThat(failure.code()).as(failure.getMessage()).isNotIn(DEFECTS);
    assertThat(failure.mayHaveBeenApplied()).as(failure.getMessage()).isFalse();
    boolean refused = failure.code() == code;
    if (refused) {
      assertThat(failure).hasMessageMatching("\\Q" + operation.name() + "\\E: " + reason);
      assertThat(failure.isRetryable()).isTrue();
    }
    return refused;
  }

  private void assertWholeAgain(long acceptedBefore) {
    Await.until(this::writes, "it works without a new runtime");
    everything().forEach((operation, call) -> assertAnswered(operation, call));
    assertThat(side.connectionsAccepted() - acceptedBefore)
        .as("no connection was lost over it; this test made a few")
        .isLessThan(5);
    whole.awaitReturn();
  }

  private boolean writes() {
    Future<?> call = backend.execute(set("k", "v"));
    Await.until(call::isComplete, "it ends");
    return call.succeeded();
  }

  private static void assertAnswered(Operation<?> operation, Future<?> call) {
    Await.until(call::isComplete, operation.name());
    if (call.failed()) {
      assertThat(failure(call).code())
          .isNotIn(DEFECTS)
          .isNotIn(FailureCode.UNAVAILABLE, FailureCode.CAPACITY_EXHAUSTED);
    }
  }

  private long keys() {
    return (Long) side.command("DBSIZE");
  }

  @Test
  @DisplayName("a server that is busy with a script refuses everything, and nothing runs later")
  void busy() {
    long accepted = side.connectionsAccepted();
    try (RedisSide script = server.side()) {
      script.send(
          "EVAL",
          "local t = redis.call('TIME') local e = t[1] * 1000 + t[2] / 1000 + 3000"
              + " repeat t = redis.call('TIME') until t[1] * 1000 + t[2] / 1000 > e return 'end'",
          "0");
      awaitRefusal("the server is busy with a script");
      List<String> refused = refused(FailureCode.UNAVAILABLE, "the server is busy with a script");
      assertThat(new String((byte[]) script.read())).isEqualTo("end");
      assertThat(refused).contains("kv.set", "kv.get", "rate.consume", "lock.tryAcquire");
      assertThat(refused).contains("queue.append", "system.health", "key.scan", "semaphore.renew");
    }
    assertThat(keys()).isEqualTo(1);
    assertWholeAgain(accepted);
  }

  private void awaitRefusal(String reason) {
    Await.until(
        () -> {
          Future<?> call = backend.execute(get("stored"));
          Await.until(call::isComplete, "it ends");
          return call.failed() && call.cause().getMessage().endsWith(reason);
        },
        reason);
  }

  @Test
  @DisplayName("a server that starts with a large dataset refuses all that touches data")
  void loading() {
    fill(6_000);
    server.save();
    server.kill();
    Thread starting = new Thread(server::startAgain); // returns when everything is loaded
    starting.start();
    awaitRefusal("the server is loading its data");
    List<String> refused = refused(FailureCode.UNAVAILABLE, "the server is loading its data");
    assertThat(refused).contains("kv.set", "kv.get", "rate.consume", "lock.tryAcquire");
    assertThat(refused).contains("queue.append", "key.scan", "score.range", "usage.consume");
    Await.until(() -> !starting.isAlive(), "it has started");
    Await.until(this::writes, "it works without a new runtime");
    whole.awaitReturn();
    try (RedisSide now = server.side()) {
      assertThat(now.command("DBSIZE")).as("with the two of this test").isEqualTo(6_002L);
    }
  }

  /** Large values: a server that loads looks at its clients every two megabytes. */
  private void fill(int keys) {
    side.command(
        "EVAL",
        "for i = 1, ARGV[1] do redis.call('SET', 'fill' .. i, string.rep('x', 4000)) end",
        "0",
        "" + keys);
  }

  @Test
  @DisplayName("C446 a server without enough replicas refuses all that writes, and only that")
  void tooFewReplicas() {
    long accepted = side.connectionsAccepted();
    side.command("CONFIG", "SET", "min-replicas-to-write", "1");
    List<String> refused = refused(FailureCode.UNAVAILABLE, "the server has too few replicas");
    side.command("CONFIG", "SET", "min-replicas-to-write", "0");
    assertThat(refused).contains("kv.set", "rate.consume", "lock.tryAcquire", "queue.append");
    assertThat(refused).doesNotContain("kv.get", "score.range", "system.health", "lock.holder");
    assertThat(keys()).isEqualTo(1);
    assertWholeAgain(accepted);
  }

  @Test
  @DisplayName("C446 E03 a server that became a replica refuses all that writes, and only that")
  void replica() {
    side.command("REPLICAOF", "127.0.0.1", "1");
    List<String> refused = refused(FailureCode.UNAVAILABLE, "the server is a replica");
    side.command("REPLICAOF", "NO", "ONE");
    assertThat(refused).contains("kv.set", "rate.consume", "lock.tryAcquire", "queue.append");
    assertThat(refused).doesNotContain("kv.get", "score.range", "system.health", "lock.holder");
    assertThat(keys()).isEqualTo(1);
    Await.until(this::writes, "it works without a new runtime");
    whole.awaitReturn();
  }

  @Test
  @DisplayName("C446 a replica whose master is gone refuses even reads if it was told to")
  void masterDown() {
    side.command("CONFIG", "SET", "replica-serve-stale-data", "no");
    side.command("REPLICAOF", "127.0.0.1", "1");
    awaitRefusal("the server has lost its master");
    String either = "the server (has lost its master|is a replica)"; // writes tell of the other
    List<String> refused = refused(FailureCode.UNAVAILABLE, either);
    side.command("REPLICAOF", "NO", "ONE");
    assertThat(refused).contains("kv.get", "kv.set", "rate.consume", "queue.append", "key.scan");
    assertThat(keys()).isEqualTo(1);
    Await.until(this::writes, "it works without a new runtime");
    whole.awaitReturn();
  }

  @Test
  @DisplayName("C477 a full server refuses what would grow, in every family, whole")
  void full() {
    long accepted = side.connectionsAccepted();
    side.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    side.command("CONFIG", "SET", "maxmemory", "1");
    List<String> refused =
        refused(FailureCode.CAPACITY_EXHAUSTED, "the server's maxmemory is used up");
    assertThat(refused)
        .contains("kv.set", "kv.setMany", "kv.increment", "set.add", "score.set", "queue.append")
        .contains("rate.consume", "rate.tokenBucket", "usage.consume", "queue.ensureGroup")
        .contains("lock.tryAcquire", "semaphore.tryAcquire")
        .doesNotContain("lock.release", "semaphore.release", "queue.ack", "kv.get", "rate.refund");
    assertThat(keys()).isLessThanOrEqualTo(1);
    side.command("CONFIG", "SET", "maxmemory", "0");
    assertWholeAgain(accepted);
  }

  @Test
  @DisplayName("C477 what is pending can be given back, kept and ended on a full server")
  void fullQueue() {
    run(backend, new QueueOperation.EnsureGroup("q", "g", "0-0"));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ids.add(run(backend, new QueueOperation.Append("q", Map.of("f", "v"), noLimit())));
    }
    run(backend, new QueueOperation.Read("q", "g", "c", 4, Optional.empty()));
    side.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    side.command("CONFIG", "SET", "maxmemory", "1");
    assertThat(run(backend, new QueueOperation.Extend("q", "g", "c", ids))).isEqualTo(4);
    assertThat(run(backend, new QueueOperation.Nack("q", "g", "c", ids.subList(0, 1), true)))
        .isEqualTo(1);
    assertThat(run(backend, ack(ids.subList(1, 2)))).isEqualTo(1);
    if (server.atLeast(7, 0)) { // before, trying its permissions lets a move pass: it frees as much
      assertMoveIsRefused(ids.get(2));
    }
    side.command("CONFIG", "SET", "maxmemory", "0");
    run(backend, move(ids.get(3)));
    assertThat(run(backend, new KeyOperation.Exists("dead"))).isTrue();
  }

  private void assertMoveIsRefused(String id) {
    assertThat(failure(backend.execute(move(id))).code()).isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
    assertThat(run(backend, new QueueOperation.Stats("q", Optional.of("g"))).pending())
        .isEqualTo(3);
    assertThat(run(backend, new KeyOperation.Exists("dead"))).isFalse();
  }

  private static QueueOperation.Transfer move(String id) {
    return new QueueOperation.Transfer(
        "q", "g", id, "dead", Map.of("f", "v"), noLimit(), Optional.empty());
  }

  private static QueueOperation.Ack ack(List<String> ids) {
    return new QueueOperation.Ack("q", "g", ids, Optional.empty());
  }

  private static OptionalLong noLimit() {
    return OptionalLong.empty();
  }

  @Test
  @DisplayName("a server with too many clients: those connected stay, lost ones come when they can")
  void tooManyClients() {
    long clients = side.clientList().size();
    side.command("CONFIG", "SET", "maxclients", "" + clients);
    assertThat(failure(opening(options(server.uri()))).code()).isEqualTo(FailureCode.UNAVAILABLE);
    run(backend, set("k", "v"));
    side.command("CONFIG", "SET", "maxclients", "1");
    side.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    Await.until(() -> backend.figures().get("lane.fast.connections") == 0, "they are lost");
    long accepted = side.connectionsAccepted();
    RuntimeStateException failure = failure(backend.execute(new KvOperation.Get("k"), 1_000));
    assertThat(failure.code()).isEqualTo(FailureCode.TIMED_OUT);
    assertThat(failure.mayHaveBeenApplied()).isFalse();
    assertThat(side.connectionsAccepted() - accepted).as("attempts pause").isLessThan(30);
    side.command("CONFIG", "SET", "maxclients", "1000");
    Await.until(this::writes, "it works without a new runtime");
    whole.awaitReturn();
  }
}
