package io.runtimestate.contract;

import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.Semaphores;
import io.runtimestate.config.RedisProtocol;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.PermitDecision;
import io.runtimestate.data.PermitHolder;
import io.runtimestate.data.PermitUsage;
import io.runtimestate.data.StoreFigures;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

/** The operations on semaphores. */
class SemaphoreContractTest {
  private static final Duration LONG = seconds(30);

  private static String acquire(Fixture f, String gate, String resource, int limit, Duration ttl) {
    PermitDecision decision = get(f.state().semaphores().tryAcquire(gate, resource, limit, ttl));
    assertThat(decision.isGranted()).isTrue();
    return ((PermitDecision.Granted) decision).token();
  }

  private static int inFlight(Fixture f, String gate, String resource) {
    return get(f.state().semaphores().snapshot(gate, resource, 10)).inFlight();
  }

  @EachBackend
  @DisplayName("C403 a full semaphore says so, a release makes room")
  void tryAcquire_saturates(Fixture f) {
    Semaphores semaphores = f.state().semaphores();
    String gate = f.key("g");
    PermitDecision first = get(semaphores.tryAcquire(gate, null, 1, LONG));
    String token = ((PermitDecision.Granted) first).token();
    assertThat(first).isEqualTo(new PermitDecision.Granted(token, 1));
    assertThat(token).startsWith(gate + ":");
    assertThat(get(semaphores.tryAcquire(gate, null, 1, LONG)))
        .isEqualTo(new PermitDecision.Saturated(gate, 1));
    assertThat(get(semaphores.tryAcquire(gate, null, 2, LONG)).isGranted()).isTrue();
    assertThat(get(semaphores.release(gate, null, token))).isTrue();
    assertThat(get(semaphores.release(gate, null, token))).isFalse();
    assertThat(inFlight(f, gate, null)).isEqualTo(1);
    assertThat(get(semaphores.renew(gate, null, token, LONG))).isFalse();
  }

  @EachBackend
  @DisplayName("C404 C418 resources and gates whose names look alike are independent")
  void names_independent(Fixture f) {
    String a = f.key("a");
    String[][] names = {
      {a, null},
      {a, "b"},
      {a, "c"},
      {a + ":b", null},
      {a + "~b", null},
      {a, "~b"},
      {a + "}", "b"},
      {a + "%7D", "b"},
      {a, "b~"},
      {a, ":b"}
    };
    for (String[] name : names) {
      acquire(f, name[0], name[1], 1, LONG);
    }
    for (String[] name : names) {
      assertThat(inFlight(f, name[0], name[1])).as("%s %s", name[0], name[1]).isEqualTo(1);
    }
  }

  @EachBackend
  @DisplayName("C405 an admission prefix and white space around a resource do not count")
  void resource_normalised(Fixture f) {
    String gate = f.key("g");
    acquire(f, gate, "r", 1, LONG);
    for (String same : List.of(" r ", "admission:" + gate + ":r", "\tadmission:" + gate + ":r")) {
      assertThat(get(f.state().semaphores().tryAcquire(gate, same, 1, LONG)).isGranted())
          .as(same)
          .isFalse();
    }
    Fails.assertInvalid(
        f.state().semaphores().tryAcquire(gate, "admission:" + gate + ":", 1, LONG));
  }

  @EachBackend
  @DisplayName("C410 C420 N01 permits are identities that expire, not counts")
  void permits_expire(Fixture f) {
    Semaphores semaphores = f.state().semaphores();
    String gate = f.key("g");
    String one = acquire(f, gate, null, 2, ms(200));
    String two = acquire(f, gate, null, 2, ms(200));
    f.pass(ms(240));
    acquire(f, gate, null, 2, LONG);
    acquire(f, gate, null, 2, LONG);
    assertThat(get(semaphores.release(gate, null, one))).isFalse();
    assertThat(get(semaphores.release(gate, null, two))).isFalse();
    assertThat(inFlight(f, gate, null)).isEqualTo(2);
    assertThat(get(semaphores.tryAcquire(gate, null, 2, LONG)).isGranted()).isFalse();
  }

  @EachBackend
  @DisplayName("C415 the limit travels with the call; nothing is available below zero")
  void limit_travels(Fixture f) {
    String gate = f.key("g");
    for (int i = 0; i < 3; i++) {
      acquire(f, gate, null, 3, LONG);
    }
    assertThat(get(f.second().semaphores().snapshot(gate, null, 2)))
        .isEqualTo(new PermitUsage(2, 3, 0));
    assertThat(get(f.second().semaphores().tryAcquire(gate, null, 2, LONG)).isGranted()).isFalse();
    assertThat(get(f.second().semaphores().snapshot(gate, null, 5)))
        .isEqualTo(new PermitUsage(5, 3, 2));
  }

  @EachBackend
  @DisplayName("C419 holders are listed by the end of their lease")
  void holders_listed(Fixture f) {
    String gate = f.key("g");
    assertThat(get(f.state().semaphores().holders(gate, null))).isEmpty();
    String middle = acquire(f, gate, null, 3, seconds(20));
    String last = acquire(f, gate, null, 3, seconds(30));
    String first = acquire(f, gate, null, 3, seconds(10));
    List<PermitHolder> holders = get(f.state().semaphores().holders(gate, null));
    assertThat(holders).extracting(PermitHolder::token).containsExactly(first, middle, last);
    assertThat(holders.get(0).remaining()).isBetween(seconds(5), seconds(10));
    get(f.state().semaphores().release(gate, null, middle));
    assertThat(get(f.state().semaphores().holders(gate, null)))
        .extracting(PermitHolder::token)
        .containsExactly(first, last);
    get(f.state().semaphores().renew(gate, null, first, seconds(40)));
    assertThat(get(f.state().semaphores().holders(gate, null)))
        .extracting(PermitHolder::token)
        .containsExactly(last, first);
  }

  @EachBackend
  @DisplayName("C421 B05 the same record again is one holder, and restarts its time")
  void tryAcquire_repeated(Fixture f) {
    String gate = f.key("g");
    var acquire = new SemaphoreOperation.TryAcquire(gate, Optional.empty(), 1, ms(300));
    PermitDecision first = get(f.state().execute(acquire));
    f.pass(ms(200));
    assertThat(get(f.state().execute(acquire))).isEqualTo(first);
    f.pass(ms(150));
    assertThat(inFlight(f, gate, null)).isEqualTo(1);
    f.pass(ms(200));
    acquire(f, gate, null, 1, LONG);
    assertThat(get(f.state().execute(acquire))).isEqualTo(new PermitDecision.Saturated(gate, 1));
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C409 12 expired permits are swept and counted by nothing")
  void permits_swept(Fixture f) {
    FakeClock clock = new FakeClock();
    var state = f.open(f.options(), clock);
    for (int i = 0; i < 1_000; i++) {
      get(state.semaphores().tryAcquire("g" + i % 10, "r" + i % 7, 1_000, seconds(1 + i % 3)));
    }
    assertThat(get(state.statistics()).store().orElseThrow().permits()).isEqualTo(1_000);
    clock.advance(seconds(2));
    Await.until(() -> figures(state).permits() == 333, "those of 1 and 2 s are swept, in pieces");
    assertThat(figures(state).expirations()).isEqualTo(667);
    clock.advance(seconds(2));
    Await.until(() -> figures(state).permits() == 0, "all are swept");
    assertThat(figures(state).bytes()).isZero();
  }

  private static StoreFigures figures(RuntimeState state) {
    return get(state.statistics()).store().orElseThrow();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("3 locks and permits need room in memory.maxBytes and give it back")
  void memory_bounded(Fixture f) {
    var options = f.options();
    options.getMemory().setMaxBytes(10_000L);
    var state = f.open(options);
    List<String> held = new ArrayList<>();
    Future<PermitDecision> last = state.semaphores().tryAcquire("g", null, 1_000, LONG);
    Await.until(last::isComplete, "answered");
    while (last.succeeded()) {
      held.add(((PermitDecision.Granted) last.result()).token());
      last = state.semaphores().tryAcquire("g", null, 1_000, LONG);
      Await.until(last::isComplete, "answered");
    }
    assertThat(Fails.failure(last).code()).isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
    assertThat(held).hasSizeBetween(20, 80);
    var lock = state.locks().tryAcquire("l", "o", LONG);
    assertThat(Fails.failure(lock).code()).isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
    assertThat(get(state.semaphores().renew("g", null, held.get(0), LONG))).isTrue();
    held.forEach(token -> assertThat(get(state.semaphores().release("g", null, token))).isTrue());
    assertThat(get(state.locks().tryAcquire("l", "o", LONG))).isPresent();
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C414 a refused caller's lease leaves the stored key alone")
  void refused_leavesKey(Fixture f) {
    String gate = f.key("g");
    acquire(f, gate, null, 1, ms(400));
    assertThat(get(f.second().semaphores().tryAcquire(gate, null, 1, ms(50))).isGranted())
        .isFalse();
    f.pass(ms(200));
    assertThat(inFlight(f, gate, null)).isEqualTo(1);
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C426 N03 an idle semaphore leaves no key")
  void idle_leavesNothing(Fixture f) {
    var state = f.open(f.options());
    for (int i = 0; i < 100; i++) {
      List<Future<PermitDecision>> batch = new ArrayList<>(); // answered within its leases
      for (int r = 0; r < 100; r++) {
        batch.add(state.semaphores().tryAcquire("g", "r" + i + "-" + r, 1, seconds(2)));
      }
      batch.forEach(decision -> assertThat(get(decision).isGranted()).isTrue());
    }
    f.pass(ms(2_300));
    try (RedisSide side = RedisServer.shared().side()) {
      String pattern = state.namespaceKey("").replace(":d:", ":sm:*");
      assertThat((List<?>) side.command("KEYS", pattern)).isEmpty();
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C428 20 000 expired permits do not hold up the server; N07 a lost key heals")
  void expired_thousands(Fixture f) {
    String gate = f.key("g");
    String key = f.prefix() + ":sm:{" + gate + "}";
    try (RedisSide side = RedisServer.shared().side()) {
      for (int i = 0; i < 20; i++) {
        String[] add = new String[2 + 2_000];
        add[0] = "ZADD";
        add[1] = key;
        for (int m = 0; m < 1_000; m++) {
          add[2 + 2 * m] = "1000";
          add[3 + 2 * m] = gate + ":" + i + "-" + m;
        }
        side.command(add);
      }
      long before = System.nanoTime();
      acquire(f, gate, null, 1, LONG);
      assertThat((System.nanoTime() - before) / 1_000_000).isLessThan(200);
      assertThat(inFlight(f, gate, null)).isEqualTo(1);
      assertThat(side.command("ZCARD", key)).isEqualTo(1L);
      side.command("DEL", key);
      acquire(f, gate, null, 1, LONG);
      side.command("SET", key, "x");
      assertThat(Fails.failure(f.state().semaphores().tryAcquire(gate, null, 1, LONG)).code())
          .isEqualTo(FailureCode.UNEXPECTED_REPLY);
      side.command("DEL", key);
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("N07 a semaphore whose key is deleted in use has all its places after one lease")
  void keyDeleted(Fixture f) {
    String gate = f.key("g");
    try (RedisSide side = RedisServer.shared().side()) {
      acquire(f, gate, null, 2, ms(600));
      acquire(f, gate, null, 2, ms(600));
      assertThat(side.command("DEL", f.prefix() + ":sm:{" + gate + "}")).isEqualTo(1L);
      for (int i = 0; i < 2; i++) { // as many as were destroyed, and no more
        assertThat(get(f.state().semaphores().tryAcquire(gate, null, 2, ms(600))).isGranted())
            .isTrue();
      }
      assertThat(get(f.state().semaphores().tryAcquire(gate, null, 2, ms(600))).isGranted())
          .isFalse();
      Await.until(() -> inFlight(f, gate, null) == 0, "they end with their leases");
      acquire(f, gate, null, 2, LONG);
      acquire(f, gate, null, 2, LONG);
      assertThat(inFlight(f, gate, null)).isEqualTo(2);
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("15 a grant beside live permits removes 1 000 expired ones")
  void expired_pruned(Fixture f) {
    String gate = f.key("g");
    String key = f.prefix() + ":sm:{" + gate + "}";
    acquire(f, gate, null, 10, LONG);
    try (RedisSide side = RedisServer.shared().side()) {
      for (int i = 0; i < 1_500; i++) {
        side.command("ZADD", key, "1000", "dead" + i);
      }
      acquire(f, gate, null, 10, ms(100));
      assertThat(side.command("ZCARD", key)).isEqualTo(502L);
      Long left = (Long) side.command("PTTL", key);
      assertThat(left).isBetween(20_000L, 30_000L);
      assertThat(inFlight(f, gate, null)).isEqualTo(2);
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("0.9 locks and semaphores work in both protocols")
  void protocols(Fixture f) {
    for (RedisProtocol protocol : RedisProtocol.values()) {
      var options = f.options();
      options.getRedis().setProtocol(protocol);
      var state = f.open(options);
      var lease = get(state.locks().tryAcquire("l", "o", LONG)).orElseThrow();
      assertThat(get(state.locks().tryAcquire("l", "o", LONG))).isEmpty();
      assertThat(get(state.locks().holder("l")).orElseThrow().fencingToken())
          .isEqualTo(lease.fencingToken());
      assertThat(get(state.locks().renew(lease, LONG))).isTrue();
      assertThat(get(state.locks().release(lease))).isTrue();
      assertThat(get(state.locks().holder("l"))).isEmpty();
      PermitDecision permit = get(state.semaphores().tryAcquire("g", "r", 1, LONG));
      String token = ((PermitDecision.Granted) permit).token();
      assertThat(get(state.semaphores().tryAcquire("g", "r", 1, LONG)).isGranted()).isFalse();
      assertThat(get(state.semaphores().renew("g", "r", token, LONG))).isTrue();
      assertThat(get(state.semaphores().holders("g", "r")).get(0).token()).isEqualTo(token);
      assertThat(get(state.semaphores().holders("g", "r")).get(0).remaining())
          .isLessThanOrEqualTo(LONG);
      assertThat(get(state.semaphores().snapshot("g", "r", 1)).inFlight()).isEqualTo(1);
      assertThat(get(state.semaphores().release("g", "r", token))).isTrue();
    }
  }
}
