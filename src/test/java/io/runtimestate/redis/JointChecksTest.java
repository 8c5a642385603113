package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.RateOperation.Consume;
import io.runtimestate.operation.RateOperation.Count;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks of one turn of the event loop travel together, and nobody can tell. */
class JointChecksTest extends RedisTest {
  private static final String PREFIX = "JointChecksTest:rl:1:";
  private static final int CHECKS = 500;
  private static final long LIMIT = 4_000_000_000L;
  private static final Duration TTL = Duration.ofMinutes(5);

  private RedisServer server; // of its own: it counts calls and loses its scripts
  private RedisSide side;

  @BeforeEach
  void startServer() {
    server = RedisServer.start();
    side = server.side();
  }

  @AfterEach
  void stopServer() {
    side.close();
    server.close();
  }

  private static Consume consume(long cost, RateScope... scopes) {
    return new Consume(List.of(scopes), 1, TTL, cost, Optional.empty());
  }

  private static Consume of(String key) {
    return consume(1, new RateScope("s", key, LIMIT));
  }

  /** Starts them all in one turn. */
  private List<Future<RateDecision>> inOneTurn(
      StateBackend backend, int count, IntFunction<Consume> check) {
    return onLoop(
        () ->
            IntStream.range(0, count).mapToObj(check).map(each -> backend.execute(each)).toList());
  }

  private static Object settled(Future<RateDecision> check) {
    Await.until(check::isComplete, "it completes");
    return check.succeeded() ? check.result() : ((RuntimeStateException) check.cause()).code();
  }

  private static Optional<RuntimeStateException> failureOf(Future<?> check) {
    return Optional.ofNullable((RuntimeStateException) check.cause());
  }

  private static long calls(RedisSide of) {
    return of.commandStat("evalsha") + of.commandStat("eval");
  }

  private long count(StateBackend backend, String key) {
    return run(backend, new Count(key, 1));
  }

  @Test
  void fewCalls_sameAnswersAsOneAfterTheOther() {
    StateBackend backend = open(server.uri());
    Random random = new Random(20_260_301L);
    Model model = new Model();
    for (int i = 0; i < 3; i++) {
      side.command("RPUSH", PREFIX + "list" + i, "x");
      side.command("SET", PREFIX + "damaged" + i, "1x");
    }
    for (int round = 0; round < 20; round++) {
      List<Consume> checks = IntStream.range(0, CHECKS).mapToObj(i -> random(random)).toList();
      long before = calls(side);
      List<Future<RateDecision>> answers = inOneTurn(backend, CHECKS, checks::get);
      for (int i = 0; i < CHECKS; i++) {
        assertThat(settled(answers.get(i)))
            .as("check %d of round %d", i, round)
            .isEqualTo(model.answer(checks.get(i)));
      }
      assertThat(calls(side) - before).isLessThan(CHECKS / 10);
    }
    assertThat(model.refused).as("there were refusals").isPositive();
    assertThat(model.broken).as("and damaged counters").isPositive();
    model.counts.forEach((key, count) -> assertThat(count(backend, key)).isEqualTo(count));
    for (String key : model.counts.keySet()) {
      assertThat((Long) side.command("PTTL", PREFIX + key)).as(key).isBetween(1L, TTL.toMillis());
    }
  }

  private static Consume random(Random random) {
    RateScope[] scopes = new RateScope[1 + random.nextInt(3)];
    for (int i = 0; i < scopes.length; i++) {
      int kind = random.nextInt(60);
      String key =
          kind == 0 ? "list" + random.nextInt(3) : kind == 1 ? "damaged" + random.nextInt(3) : "k";
      scopes[i] =
          new RateScope(
              "s" + i, kind < 2 ? key : key + random.nextInt(40), 1 + random.nextInt(2_000));
    }
    return consume(1, scopes);
  }

  /** What a check answers if it is made alone. */
  private static final class Model {
    private final Map<String, Long> counts = new HashMap<>();
    private int refused;
    private int broken;

    Object answer(Consume check) {
      Map<String, Long> charged = new HashMap<>(counts);
      for (RateScope scope : check.scopes()) {
        if (!scope.key().startsWith("k")) {
          broken++;
          return FailureCode.UNEXPECTED_REPLY;
        }
        if (charged.merge(scope.key(), check.cost(), Long::sum) > scope.limit()) {
          refused++;
          return new RateDecision.Rejected(scope.name(), scope.limit(), Optional.empty());
        }
      }
      counts.putAll(charged);
      return allowed(check);
    }

    private RateDecision allowed(Consume check) {
      RateScope tightest = check.scopes().get(0);
      for (RateScope scope : check.scopes()) {
        tightest = left(scope) < left(tightest) ? scope : tightest;
      }
      return new RateDecision.Allowed(left(tightest), tightest.limit(), Optional.empty());
    }

    private long left(RateScope scope) {
      return Math.max(0, scope.limit() - counts.get(scope.key()));
    }
  }

  @Test
  void oneAlone_goesAtOnceInACallOfItsOwn() {
    StateBackend backend = open(server.uri());
    run(backend, of("warm"));
    long before = calls(side);
    List<Future<RateDecision>> answers = inOneTurn(backend, 1, i -> of("k"));
    assertThat(Await.get(answers.get(0)).isAllowed()).isTrue();
    assertThat(calls(side) - before).isEqualTo(1);
  }

  @Test
  void eachHasItsOwnCostExpiryAndEnd() {
    StateBackend backend = open(server.uri());
    Duration window = Duration.ofDays(1);
    long bucket = backend.unixMillis() / window.toMillis();
    List<Future<RateDecision>> answers =
        inOneTurn(
            backend,
            200,
            i ->
                new Consume(
                    List.of(new RateScope("s", "k" + i, LIMIT)),
                    bucket + i % 2,
                    Duration.ofSeconds(60 + i),
                    1 + i,
                    i % 3 == 0 ? Optional.empty() : Optional.of(window)));
    for (int i = 0; i < 200; i++) {
      RateDecision.Allowed allowed = (RateDecision.Allowed) Await.get(answers.get(i));
      assertThat(allowed.remaining()).isEqualTo(LIMIT - 1 - i);
      assertThat(allowed.resetAfter().isPresent()).isEqualTo(i % 3 != 0);
      if (i % 3 != 0) {
        long end = (bucket + i % 2 + 1) * window.toMillis();
        assertThat(allowed.resetAfter().orElseThrow().toMillis())
            .isBetween(end - backend.unixMillis() - 5_000, end - backend.unixMillis() + 5_000);
      }
      String key = "JointChecksTest:rl:" + (bucket + i % 2) + ":k" + i;
      assertThat((Long) side.command("PTTL", key)).isBetween((40L + i) * 1_000, (60L + i) * 1_000);
    }
  }

  @Test
  void counterWithoutExpiry_getsOneWhenItRefuses() {
    StateBackend backend = open(server.uri());
    side.command("SET", PREFIX + "forever", "7");
    List<Future<RateDecision>> answers =
        inOneTurn(backend, 50, i -> consume(1, new RateScope("s", "forever", 7)));
    answers.forEach(answer -> assertThat(Await.get(answer).isAllowed()).isFalse());
    assertThat((Long) side.command("PTTL", PREFIX + "forever")).isBetween(1L, TTL.toMillis());
  }

  @Test
  void flushedScripts_failNothingAndChargeOnce() {
    StateBackend backend = open(server.uri());
    for (int round = 1; round <= 20; round++) {
      side.command("SCRIPT", "FLUSH");
      List<Future<RateDecision>> answers = inOneTurn(backend, CHECKS, i -> of("k" + i % 7));
      side.command("SCRIPT", "FLUSH");
      answers.forEach(answer -> assertThat(Await.get(answer).isAllowed()).isTrue());
      assertThat(sum(backend, 7)).isEqualTo((long) round * CHECKS);
    }
    long before = calls(side);
    inOneTurn(backend, CHECKS, i -> of("k" + i % 7)).forEach(Await::get);
    assertThat(calls(side) - before).as("joined again").isLessThan(CHECKS / 10);
  }

  private long sum(StateBackend backend, int keys) {
    return IntStream.range(0, keys).mapToLong(i -> count(backend, "k" + i)).sum();
  }

  @Test
  void lostConnection_flagsEachThatWasSent() {
    try (FaultProxy proxy = FaultProxy.start(vertx, server.port())) {
      StateBackend backend = open(proxy.uri());
      long admitted = 0;
      long unknown = 0;
      for (int round = 0; round < 20; round++) {
        run(backend, of("warm"));
        proxy.cutAfterReplies(1 + round % 8);
        List<Future<RateDecision>> answers = inOneTurn(backend, CHECKS, i -> of("k" + i % 7));
        for (Future<RateDecision> answer : answers) {
          Await.until(answer::isComplete, "it completes");
          failureOf(answer)
              .ifPresent(lost -> assertThat(lost.code()).isEqualTo(FailureCode.UNAVAILABLE));
          admitted += answer.succeeded() ? 1 : 0;
          unknown +=
              failureOf(answer).filter(lost -> lost.mayHaveBeenApplied()).isPresent() ? 1 : 0;
        }
        Await.until(() -> backend.figures().get("lane.fast.connections") == 1, "it is back");
      }
      assertThat(admitted).isPositive();
      assertThat(unknown).isPositive();
      assertThat(sum(backend, 7)).isBetween(admitted, admitted + unknown);
      assertThat(backend.figures())
          .containsEntry("pending", 0L)
          .containsEntry("lane.fast.pending", 0L);
    }
  }

  @Test
  void eachKeepsItsDeadline() {
    try (FaultProxy proxy = FaultProxy.start(vertx, server.port())) {
      StateBackend backend = open(proxy.uri());
      run(backend, of("warm"));
      proxy.stall();
      List<Future<RateDecision>> answers =
          onLoop(
              () ->
                  IntStream.range(0, 100)
                      .mapToObj(i -> backend.execute(of("k"), i % 2 == 0 ? 100 : 60_000))
                      .toList());
      for (int i = 0; i < 100; i += 2) {
        RuntimeStateException late = failure(answers.get(i));
        assertThat(late.code()).isEqualTo(FailureCode.TIMED_OUT);
        assertThat(late.mayHaveBeenApplied()).isTrue();
      }
      assertThat(answers.stream().filter(Future::isComplete)).hasSize(50);
      proxy.resume();
      for (int i = 1; i < 100; i += 2) {
        assertThat(Await.get(answers.get(i)).isAllowed()).isTrue();
      }
      assertThat(count(backend, "k")).as("late ones were carried out all the same").isEqualTo(100);
    }
  }

  @Test
  void theBoundCountsChecks() {
    RuntimeStateOptions options = options(server.uri());
    options.getRedis().setMaxPendingCommands(100);
    StateBackend backend = open(options);
    List<Future<RateDecision>> answers = inOneTurn(backend, CHECKS, i -> of("k"));
    List<Object> all = answers.stream().map(JointChecksTest::settled).toList();
    assertThat(all.stream().filter(FailureCode.OVERLOADED::equals)).hasSize(CHECKS - 100);
    assertThat(count(backend, "k")).isEqualTo(100);
  }

  @Test
  void fullServer_refusesEachThatWouldGrow() {
    StateBackend backend = open(server.uri());
    side.command("SET", PREFIX + "forever", "7");
    side.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    side.command("CONFIG", "SET", "maxmemory", "1mb");
    List<Future<RateDecision>> answers =
        inOneTurn(
            backend,
            CHECKS,
            i -> i % 5 == 0 ? consume(1, new RateScope("s", "forever", 7)) : of("k" + i % 7));
    for (int i = 0; i < CHECKS; i++) {
      if (i % 5 == 0) {
        assertThat(Await.get(answers.get(i)).isAllowed()).isFalse();
      } else {
        assertThat(failure(answers.get(i)).code()).isEqualTo(FailureCode.CAPACITY_EXHAUSTED);
        assertThat(failure(answers.get(i)).mayHaveBeenApplied()).isFalse();
      }
    }
    assertThat(sum(backend, 7)).isZero();
  }

  @Test
  void replica_refusesEach() {
    StateBackend backend = open(server.uri());
    run(backend, of("warm"));
    side.command("REPLICAOF", "127.0.0.1", "1");
    for (Future<RateDecision> answer : inOneTurn(backend, CHECKS, i -> of("k" + i % 7))) {
      RuntimeStateException refused = failure(answer);
      assertThat(refused.code()).isEqualTo(FailureCode.UNAVAILABLE);
      assertThat(refused.mayHaveBeenApplied()).isFalse();
    }
    side.command("REPLICAOF", "NO", "ONE");
    assertThat(sum(backend, 7)).isZero();
  }

  @Test
  void keyThatIsNotPermitted_hurtsNobodyElse() {
    side.command("ACL", "SETUSER", "lib", "reset", "on", ">pw", "~*", "+@all");
    StateBackend backend = open(server.uri("lib", "pw", 0));
    run(backend, of("warm"));
    side.command("ACL", "SETUSER", "lib", "resetkeys", "~" + PREFIX + "k*");
    List<Future<RateDecision>> answers =
        inOneTurn(backend, CHECKS, i -> of((i % 50 == 7 ? "secret" : "k") + i % 7));
    for (int i = 0; i < CHECKS; i++) {
      if (i % 50 == 7) {
        RuntimeStateException refused = failure(answers.get(i));
        assertThat(refused.code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
        assertThat(refused.mayHaveBeenApplied()).isFalse();
      } else {
        assertThat(Await.get(answers.get(i)).isAllowed()).isTrue();
      }
    }
    assertThat(sum(backend, 7)).isEqualTo(CHECKS - CHECKS / 50);
  }

  @Test
  void closing_settlesEach() {
    StateBackend backend = open(server.uri());
    run(backend, of("warm"));
    List<Future<RateDecision>> answers =
        onLoop(
            () -> {
              List<Future<RateDecision>> all = new ArrayList<>();
              for (int i = 0; i < CHECKS; i++) {
                all.add(backend.execute(of("k")));
              }
              backend.close();
              return all;
            });
    Set<Object> outcomes = new HashSet<>();
    answers.forEach(answer -> outcomes.add(settled(answer) instanceof RateDecision));
    assertThat(outcomes).containsExactly(true);
  }
}
