package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyTtl;
import io.runtimestate.data.KeyValue;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What only Redis shows: its keys, its commands, its connections. */
class RedisBackendTest extends RedisTest {
  private final RedisServer server = RedisServer.shared();
  private final RedisSide side = server.side();
  private StateBackend backend;

  @BeforeEach
  void open() {
    backend = open(server.uri());
  }

  @AfterEach
  void cleanUp() {
    side.command(
        "EVAL",
        "for _, k in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', k) end",
        "0",
        "RedisBackendTest*");
    side.close();
  }

  @Test
  @DisplayName("C024: prefixes of one database do not see each other")
  void prefixesAreApart() {
    StateBackend other = open(options(server.uri()).setKeyPrefix("RedisBackendTest2"));
    run(backend, set("v", "1"));
    side.command("SADD", "RedisBackendTest:d:s", "m");
    side.command("ZADD", "RedisBackendTest:d:z", "1", "m");
    side.command("XADD", "RedisBackendTest:d:q", "*", "f", "v");
    assertThat(run(other, get("v"))).isEmpty();
    for (String key : List.of("v", "s", "z", "q")) {
      assertThat(run(other, new KeyOperation.Exists(key))).isFalse();
      assertThat(run(backend, new KeyOperation.Exists(key))).isTrue();
    }
    assertThat(run(other, new KeyOperation.Scan("*", Optional.empty(), 512)).keys()).isEmpty();
    assertThat(scanAll(backend, "*")).containsExactly("q", "s", "v", "z");
  }

  @Test
  @DisplayName("C025: state outlives its runtimes")
  void stateOutlivesRuntimes() {
    StateBackend second = open(server.uri());
    run(second, set("k", "v", Duration.ofSeconds(30)));
    Await.get(second.close());
    Await.get(backend.close());
    StateBackend third = open(server.uri());
    assertThat(run(third, get("k"))).contains("v");
    assertThat(run(third, new KeyOperation.Ttl("k")))
        .isInstanceOfSatisfying(
            KeyTtl.Remaining.class,
            remaining -> assertThat(remaining.ttl()).isBetween(seconds(1), seconds(30)));
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  @DisplayName("C049: bytes that are not UTF-8 become U+FFFD and nothing fails")
  void foreignBytes() {
    byte[] foreign = {'a', (byte) 0xFF, 'b'};
    side.commandBytes(bytes("SET"), bytes("RedisBackendTest:d:k"), foreign);
    side.commandBytes(
        bytes("SET"),
        new byte[] {
          'R',
          'e',
          'd',
          'i',
          's',
          'B',
          'a',
          'c',
          'k',
          'e',
          'n',
          'd',
          'T',
          'e',
          's',
          't',
          ':',
          'd',
          ':',
          (byte) 0xFF
        },
        bytes("v"));
    assertThat(run(backend, get("k"))).contains("a\uFFFDb");
    assertThat(run(backend, new KvOperation.GetMany(List.of("k"))))
        .containsExactly(Optional.of("a\uFFFDb"));
    assertThat(scanAll(backend, "*")).contains("k", "\uFFFD");
    assertThat(run(backend, new KvOperation.Take("k"))).contains("a\uFFFDb");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("C080, C432: repeated operations open no further connections")
  void connectionsAreHeld() {
    run(backend, get("warm"));
    long before = side.connectionsAccepted();
    List<Future<Void>> sets =
        IntStream.range(0, 200)
            .mapToObj(i -> backend.execute(set("k" + i, "v" + i, Duration.ofSeconds(30))))
            .toList();
    sets.forEach(Await::get);
    for (int i = 0; i < 200; i++) {
      assertThat(run(backend, get("k" + i))).contains("v" + i);
    }
    assertThat(side.connectionsAccepted()).isEqualTo(before);
  }

  @Test
  @DisplayName("C181: compareAndSet is one script call and no other command")
  void compareAndSetIsOneCall() {
    run(backend, set("k", "x"));
    long scripts = side.commandStat("evalsha");
    long before = Long.parseLong(side.info("stats").get("total_commands_processed"));
    assertThat(run(backend, compareAndSet("k", "x", "y"))).isTrue();
    assertThat(side.commandStat("evalsha")).isEqualTo(scripts + 1);
    long after = Long.parseLong(side.info("stats").get("total_commands_processed"));
    // Ours is one with its GET and SET inside; the two looks of this test are the rest.
    assertThat(after - before).isLessThanOrEqualTo(1 + 2 + 2);
  }

  @Test
  void namesItsConnections() {
    assertThat(side.clientList())
        .extracting(client -> client.get("name"))
        .contains("runtime-state-fast", "runtime-state-control", "runtime-state-admin");
  }

  @Test
  void diagnosticsTellOfServerAndLanes() {
    run(backend, set("k", "v"));
    var diagnostics = run(backend, new SystemOperation.Diagnostics()).orElseThrow();
    assertThat(diagnostics.connectedClients()).isPresent();
    assertThat(diagnostics.memFragmentationBasisPoints()).isPresent();
    assertThat(diagnostics.lanes())
        .extracting(lane -> lane.lane())
        .containsExactly("fast", "control", "blocking", "admin");
    assertThat(diagnostics.lanes().get(0).commands()).isEqualTo(1);
    assertThat(diagnostics.lanes().get(0).connected()).isTrue();
    assertThat(diagnostics.lanes()).allSatisfy(lane -> assertThat(lane.errors()).isZero());
  }

  @Test
  void infoAndClock() {
    assertThat(run(backend, new SystemOperation.Info()).serverVersion()).contains(server.version());
    long there = run(backend, new SystemOperation.Time());
    assertThat(backend.unixMillis()).isBetween(there - 5, there + 1_000);
  }

  @Test
  void laterChunksFailWithWhatTheEarlierOnesDid() {
    List<KeyValue> entries =
        IntStream.range(0, 2_500).mapToObj(i -> new KeyValue("m" + i, "v" + i)).toList();
    run(backend, new KvOperation.SetMany(entries, Optional.empty()));
    List<String> keys = entries.stream().map(KeyValue::key).toList();
    assertThat(run(backend, new KvOperation.GetMany(keys)))
        .hasSize(2_500)
        .doesNotContain(Optional.empty());
    assertThat(run(backend, new KeyOperation.DeleteMany(keys))).isEqualTo(2_500);
  }

  @Test
  void emptyListsAskNobody() {
    long before = side.commandStat("mget") + side.commandStat("unlink");
    assertThat(run(backend, new KvOperation.GetMany(List.of()))).isEmpty();
    assertThat(run(backend, new KeyOperation.DeleteMany(List.of()))).isZero();
    run(backend, new KvOperation.SetMany(List.of(), Optional.empty()));
    assertThat(side.commandStat("mget") + side.commandStat("unlink")).isEqualTo(before);
  }

  @Test
  void callsThatAreAnsweredAtOnceDoNotGrowTheStack() {
    Future<Void> end =
        Future.future(promise -> vertx.runOnContext(now -> again(100_000, promise::complete)));
    Await.get(end);
  }

  private void again(int left, Runnable end) {
    if (left == 0) {
      end.run();
    } else {
      backend.execute(new KvOperation.GetMany(List.of())).onComplete(done -> again(left - 1, end));
    }
  }

  @Test
  void cursorsOfOthersAreRefused() {
    for (String cursor : List.of("garbage", new ScanCursor(0, "a", "1").write("b*"))) {
      var scan = new KeyOperation.Scan("a*", Optional.of(cursor), 10);
      assertThat(failure(backend.execute(scan)).code()).isEqualTo(FailureCode.INVALID_INPUT);
    }
    var exact = new KeyOperation.Scan("a", Optional.of(new ScanCursor(0, "a", "1").write("a")), 10);
    assertThat(failure(backend.execute(exact)).code()).isEqualTo(FailureCode.INVALID_INPUT);
  }

  static List<String> scanAll(StateBackend backend, String pattern) {
    return ScanTest.scanAll(backend, pattern, 100, page -> {}).stream().toList();
  }
}
