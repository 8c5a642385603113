package io.runtimestate.fault.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.Statistics;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.Footprint;
import io.runtimestate.support.Lag;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All families at once on a Redis, on the way to which everything fails in turn. Afterwards every
 * call has ended, in time, and the store holds what the callers were told: no more, no less.
 *
 * <p>{@code runtimestate.soak.seconds} and {@code runtimestate.soak.seed} change the long run.
 */
class FaultRunTest {
  private static final Duration SHORT = Duration.ofSeconds(8);
  private static final Duration LONG =
      Duration.ofSeconds(Integer.getInteger("runtimestate.soak.seconds", 150));
  private static final long SEED = Long.getLong("runtimestate.soak.seed", 20_260_101L);
  private static final Duration SETTLE = Duration.ofSeconds(30);
  private static final List<String> FAMILIES =
      List.of("kv", "key", "set", "score", "rate", "usage", "queue", "lock", "semaphore");

  private final Vertx vertx = Vertx.vertx();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private final Tally tally = new Tally();

  @Test
  @DisplayName("C046 D07 everything fails in turn, and nothing is lost: a few seconds")
  void run_short() {
    run(SHORT);
  }

  @Test
  @Tag("soak")
  @DisplayName("C046 D07 everything fails in turn, and nothing is lost: for minutes")
  void run_long() {
    System.out.println("fault run of " + LONG.toSeconds() + " s, seed " + SEED);
    System.out.println(run(LONG));
  }

  private String run(Duration time) {
    vertx.exceptionHandler(uncaught::add);
    Footprint before = Footprint.of(vertx, null);
    try (RedisServer server = RedisServer.start("appendonly yes", "appendfsync always");
        FaultProxy proxy = FaultProxy.start(vertx, server.port());
        Lag lag = Lag.measure()) {
      RuntimeState state = Await.get(RuntimeState.open(vertx, options(proxy)));
      SplittableRandom random = new SplittableRandom(SEED);
      List<Load> loads = loads(new Load.Place(vertx, state, tally, random));
      Faults faults = new Faults(server, proxy, state, random.split());
      loads.forEach(Load::start);
      faults.run(time);
      end(loads);
      loads.forEach(Load::verify);
      assertAllIsWell(lag);
      assertWhole(state, server);
      Await.within(SETTLE, state.close());
      Await.until(() -> proxy.open() == 0, "no connection is left");
      String report = tally.report() + "\n" + faults.report();
      before.awaitReturn(vertx, null);
      return report;
    } finally {
      Await.within(SETTLE, vertx.close());
    }
  }

  private static RuntimeStateOptions options(FaultProxy proxy) {
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setBackend(BackendMode.REDIS)
            .setCommandTimeout(Load.TIMEOUT)
            .setCloseTimeout(Duration.ofSeconds(1));
    options.getRedis().setUrl(proxy.uri()).setOpenTimeout(Duration.ofSeconds(15));
    return options;
  }

  private static List<Load> loads(Load.Place place) {
    LockLoad.Book locks = new LockLoad.Book();
    PermitLoad.Book permits = new PermitLoad.Book();
    List<Load> loads =
        new ArrayList<>(
            List.of(
                new CounterLoad(place),
                new RegisterLoad(place),
                new KeyLoad(place),
                new SetLoad(place),
                new LimitLoad(place),
                new QueueLoad(place)));
    for (int i = 0; i < 4; i++) {
      loads.add(new LockLoad(place, locks));
      loads.add(new PermitLoad(place, permits));
    }
    return loads;
  }

  private static void end(List<Load> loads) {
    Await.within(SETTLE, Future.all(loads.stream().map(Load::end).toList()));
  }

  private void assertAllIsWell(Lag lag) {
    assertThat(tally.violations()).isEmpty();
    assertThat(uncaught).isEmpty();
    assertThat(tally.open()).as("calls that have not ended").isZero();
    assertThat(tally.worstOverrunMillis()).as(tally.report()).isLessThan(200 + 3 * lag.millis());
    assertThat(FAMILIES).allSatisfy(family -> assertThat(tally.successes(family)).isPositive());
  }

  private static void assertWhole(RuntimeState state, RedisServer server) {
    Await.until(() -> Await.get(state.statistics()).heldLeases() == 0, "no lease is held");
    Statistics statistics = Await.get(state.statistics());
    assertThat(statistics.heldPermits()).isZero();
    assertThat(statistics.blockedReads()).isZero();
    long lanes =
        Await.get(state.diagnostics()).orElseThrow().lanes().stream()
            .mapToLong(lane -> lane.connections())
            .sum();
    Await.until(() -> connections(server) == lanes, "the server has as many connections");
  }

  private static long connections(RedisServer server) {
    try (RedisSide side = server.side()) {
      return side.clientList().stream()
          .filter(client -> client.get("name").startsWith("runtime-state-"))
          .count();
    }
  }
}
