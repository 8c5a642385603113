package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.lease.Permit;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cut connections lose notices of releases; whoever waits finds a free permit all the same. */
class MissedWakeUpFaultTest {
  private static final int SECONDS = Integer.getInteger("runtimestate.soak.seconds", 600);
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final Vertx vertx = Vertx.vertx();
  private final SplittableRandom random = new SplittableRandom(9);
  private final List<FaultProxy> proxies = new ArrayList<>();
  private final List<RuntimeState> states = new ArrayList<>();
  private final Queue<String> starved = new ConcurrentLinkedQueue<>();
  private final AtomicInteger grants = new AtomicInteger();
  private RedisServer server;
  private volatile boolean over;

  @BeforeEach
  void open() {
    server = RedisServer.start();
    for (int i = 0; i < 2; i++) {
      proxies.add(FaultProxy.start(vertx, server.port()));
      RuntimeStateOptions options = new RuntimeStateOptions().setBackend(BackendMode.REDIS);
      options.getRedis().setUrl(proxies.get(i).uri());
      states.add(get(RuntimeState.open(vertx, options)));
    }
  }

  @AfterEach
  void close() {
    states.forEach(state -> get(state.close()));
    proxies.forEach(FaultProxy::close);
    server.close();
    get(vertx.close());
  }

  @Test
  @DisplayName("N09 short: nobody waits in vain for a permit that is free")
  void few() {
    run(8, 32, 4);
  }

  @Test
  @Tag("soak")
  @DisplayName("N09 long: nobody waits in vain for a permit that is free")
  void many() {
    run(300, 64, SECONDS);
  }

  private void run(int names, int callers, int seconds) {
    List<Future<Void>> turns = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      turns.add(turns(states.get(i % states.size()), names));
    }
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    while (System.nanoTime() < end) {
      proxies.get(random.nextInt(proxies.size())).cut();
      LockSupport.parkNanos(random.nextInt(50, 400) * 1_000_000L);
    }
    over = true;
    turns.forEach(caller -> Await.within(WAIT.multipliedBy(2), caller));
    assertThat(starved).isEmpty();
    assertThat(grants).hasValueGreaterThan(callers * seconds);
  }

  private Future<Void> turns(RuntimeState state, int names) {
    Promise<Void> end = Promise.promise();
    next(state, names, end);
    return end.future();
  }

  /** Not a chain of futures, which would grow turn by turn. */
  private void next(RuntimeState state, int names, Promise<Void> end) {
    if (over) {
      end.complete();
    } else {
      turn(state, "n" + ThreadLocalRandom.current().nextInt(names))
          .onComplete(done -> next(state, names, end));
    }
  }

  /** Waits for a permit, holds it for a moment and gives it back, if the connection lets it. */
  private Future<Void> turn(RuntimeState state, String name) {
    SemaphoreOptions options =
        new SemaphoreOptions("gate", 1)
            .setResource(name)
            .setLeaseTtl(LEASE)
            .setRenewInterval(LEASE.dividedBy(3));
    return state
        .semaphores()
        .semaphore(options)
        .acquire(WAIT)
        .onSuccess(permit -> count(name, permit.isPresent()))
        .onFailure(failure -> starved.add(name + ": " + failure.getMessage()))
        .compose(permit -> permit.map(this::hold).orElseGet(Future::succeededFuture))
        .transform(done -> Future.succeededFuture());
  }

  private void count(String name, boolean granted) {
    if (granted) {
      grants.incrementAndGet();
    } else {
      starved.add(name + ": not within its wait");
    }
  }

  private Future<Void> hold(Permit permit) {
    return vertx.timer(5).compose(held -> permit.release()).mapEmpty();
  }
}
