package io.runtimestate.redis;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that others write to, and take away from, behind the library. */
class QueueFromOutsideTest {
  private static final String KEY = "q:d:s";

  private final Vertx vertx = Vertx.vertx();
  private RedisServer server; // of its own: users are changed
  private RedisSide side;
  private RuntimeState state;
  private Queues queues;

  @BeforeEach
  void start() {
    server = RedisServer.start();
    side = server.side();
    side.command("ACL", "SETUSER", "worker", "on", ">secret", "~*", "&*", "+@all");
    RuntimeStateOptions options = new RuntimeStateOptions().setKeyPrefix("q");
    options
        .getRedis()
        .setUrl(server.uri())
        .setUsername("worker")
        .setPassword("secret")
        .setOpenTimeout(Duration.ofSeconds(10));
    state = get(RuntimeState.open(vertx, options));
    queues = state.queues();
    get(queues.ensureGroup("s", "g"));
  }

  @AfterEach
  void stop() {
    get(state.close());
    get(vertx.close());
    side.close();
    server.close();
  }

  private List<String> append(int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(get(queues.append("s", Map.of("f", "" + i))));
    }
    return ids;
  }

  private static List<String> ids(List<QueueEntry> entries) {
    return entries.stream().map(QueueEntry::id).toList();
  }

  private QueueWorkerOptions options() {
    return new QueueWorkerOptions("s", "g", "w")
        .setMinIdle(Duration.ofMillis(100))
        .setReclaimInterval(Duration.ofMillis(40));
  }

  @Test
  @DisplayName("L01 C304 pending ids without an entry are told as deleted and leave the list")
  void claim_vanished() {
    List<String> all = append(3);
    get(queues.read("s", "g", "gone", 3));
    side.command("XDEL", KEY, all.get(1));
    side.command("XTRIM", KEY, "MAXLEN", "1");
    get(vertx.timer(5));
    ClaimPage page = get(queues.claim("s", "g", "c", Duration.ofMillis(1)));
    assertThat(ids(page.entries())).containsExactly(all.get(2));
    assertThat(page.deletedIds()).containsExactly(all.get(0), all.get(1));
    assertThat(get(queues.stats("s", "g")).pending()).isEqualTo(1);
  }

  @Test
  @DisplayName("L01 a worker counts what has vanished and handles the rest of the page")
  void worker_vanished() {
    List<String> all = append(5);
    get(queues.read("s", "g", "gone", 5));
    side.command("XDEL", KEY, all.get(0), all.get(2), all.get(3));
    Queue<String> handled = new ConcurrentLinkedQueue<>();
    QueueWorker worker =
        queues.worker(
            options().setConcurrency(5),
            message -> {
              handled.add(message.id());
              return Future.succeededFuture();
            });
    get(worker.start());
    Await.until(() -> worker.status().handled() == 2, "the rest is handled");
    assertThat(handled).containsExactly(all.get(1), all.get(4));
    assertThat(worker.status().vanished()).isEqualTo(3);
    assertThat(get(queues.stats("s", "g")).pending()).isZero();
    get(worker.close());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"9007199254740993-9007199254740995", "18446744073709551615-18446744073709551614"})
  @DisplayName("C316 ids above 2^53 are exact in every operation")
  void hugeIds(String id) {
    side.command("XADD", KEY, id, "f", "v");
    assertThat(ids(get(queues.read("s", "g", "c1")))).containsExactly(id);
    assertThat(get(queues.extend("s", "g", "c1", List.of(id)))).isEqualTo(1);
    assertThat(get(queues.nack("s", "g", "c1", List.of(id)))).isEqualTo(1);
    ClaimPage page = get(queues.claim("s", "g", "c2", Duration.ofHours(1)));
    assertThat(ids(page.entries())).containsExactly(id);
    assertThat(get(queues.pending("s", "g")).entries().get(0).id()).isEqualTo(id);
    assertThat(get(queues.groups("s")).get(0).lastDeliveredId()).isEqualTo(id);
    assertThat(get(queues.transfer("s", "g", id, "d", Map.of("f", "w"))).isTransferred()).isTrue();
    assertThat(get(queues.stats("s", "g")).length()).isZero();
    assertThat(get(queues.stats("d")).length()).isEqualTo(1);
  }

  @Test
  @DisplayName("L21 entries nobody can read become dead letters and block nothing behind them")
  void poisonedEntries() {
    byte[][] notUtf8 = {
      bytes("XADD"), bytes(KEY), bytes("*"), {'b', (byte) 0xC3}, {(byte) 0xFF, 'x'}
    };
    side.commandBytes(notUtf8);
    side.command("XADD", KEY, "*", "twice", "1", "twice", "2");
    List<String> wide = new ArrayList<>(List.of("XADD", KEY, "*"));
    for (int i = 0; i < 1_000; i++) {
      wide.addAll(List.of("n" + i, "v"));
    }
    side.command(wide.toArray(String[]::new));
    String good = get(queues.append("s", Map.of("f", "good")));
    Queue<String> handled = new ConcurrentLinkedQueue<>();
    QueueWorker worker =
        queues.worker(
            options().setDeadLetterStream("d").setMaxDeliveries(1),
            message -> {
              handled.add(message.id());
              return message.fields().containsKey("f")
                  ? Future.succeededFuture()
                  : Future.failedFuture("unreadable");
            });
    get(worker.start());
    Await.until(() -> worker.status().handled() == 1, "the good one is handled");
    Await.until(() -> worker.status().deadLettered() == 3, "the others are dead letters");
    assertThat(handled).hasSize(4).contains(good);
    get(worker.close());
    get(queues.ensureGroup("d", "look"));
    List<QueueEntry> dead = get(queues.read("d", "look", "c", 10));
    assertThat(dead.get(0).fields()).containsEntry("field.b\uFFFD", "\uFFFDx");
    assertThat(dead.get(1).fields()).containsEntry("field.twice", "2");
    assertThat(dead.get(2).fields()).containsEntry("field.n999", "v").hasSize(1_005);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("L25 nothing but the streams themselves is kept for a queue")
  void noAuxiliaryKeys() {
    append(3);
    QueueWorker worker =
        queues.worker(
            options().setDeadLetterStream("d").setMaxDeliveries(2),
            message -> Future.failedFuture("never"));
    get(worker.start());
    Await.until(() -> worker.status().failed() >= 3, "all have failed");
    assertThat(side.command("KEYS", "*").toString().replaceAll("[\\[\\] ]", "").split(","))
        .isSubsetOf(KEY, "q:d:d");
    get(worker.close());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-xdel", "-xack", "-xadd"})
  @DisplayName("C486 a transfer without a permission changes nothing")
  void transfer_notPermitted(String lost) {
    String id = append(1).get(0);
    get(queues.read("s", "g", "c"));
    side.command("ACL", "SETUSER", "worker", lost);
    RuntimeStateException failure =
        (RuntimeStateException) Await.failure(queues.transfer("s", "g", id, "d", Map.of("f", "v")));
    assertThat(failure.code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
    assertThat(side.command("EXISTS", "q:d:d")).isEqualTo(0L);
    assertThat(get(queues.stats("s", "g")).pending()).isEqualTo(1);
    side.command("ACL", "SETUSER", "worker", "+@all");
    assertThat(get(queues.transfer("s", "g", id, "d", Map.of("f", "v"))).isTransferred()).isTrue();
  }
}
