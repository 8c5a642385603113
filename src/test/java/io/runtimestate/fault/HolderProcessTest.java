package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.LockHolder;
import io.runtimestate.data.LockLease;
import io.runtimestate.lease.Permit;
import io.runtimestate.lease.Semaphore;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holders in processes of their own that are killed or stopped. */
class HolderProcessTest {
  private static final int LIMIT = 10;
  private static final int OF_CHILD = 7;
  private static final Duration SLACK = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final RedisServer server = RedisServer.start();
  private RuntimeState state;
  private Semaphore semaphore;
  private HolderProcess child;

  @BeforeEach
  void open() throws Exception {
    RuntimeStateOptions options = new RuntimeStateOptions().setBackend(BackendMode.REDIS);
    options.getRedis().setUrl(server.uri()).setOpenTimeout(SLACK);
    state = get(RuntimeState.open(vertx, options));
    semaphore = state.semaphores().semaphore(new SemaphoreOptions("g", LIMIT));
    child = HolderProcess.start(server.uri(), OF_CHILD, LIMIT);
  }

  @AfterEach
  void close() {
    child.close();
    get(state.close());
    server.close();
    get(vertx.close());
  }

  /** Takes and gives back what the child leaves; never more. */
  private void useTheOthers() {
    List<Permit> mine = new ArrayList<>();
    for (int i = OF_CHILD; i < LIMIT; i++) {
      mine.add(get(semaphore.tryAcquire()).orElseThrow());
    }
    assertThat(get(semaphore.tryAcquire())).isEmpty();
    mine.forEach(permit -> get(permit.release()));
  }

  @Test
  @DisplayName("N05 a killed process gives back its lock and permits at the end of their leases")
  void killed() throws Exception {
    long fencing = get(state.locks().holder("l")).orElseThrow().fencingToken();
    long end = System.nanoTime() + HolderProcess.LEASE.multipliedBy(2).toNanos();
    while (System.nanoTime() < end) { // it goes on renewing, and the others do not suffer
      useTheOthers();
    }
    Future<Optional<LockLease>> lock = state.locks().acquire("l", "next", LONG, LONG);
    assertThat(lock.isComplete()).isFalse();
    child.signal("KILL");
    List<Permit> all = new ArrayList<>();
    Await.until(
        () -> {
          get(semaphore.tryAcquire()).ifPresent(all::add); // the users of the rest go on
          return all.size() == LIMIT;
        },
        HolderProcess.LEASE.plus(SLACK),
        "all permits are there again");
    assertThat(get(semaphore.tryAcquire())).isEmpty();
    LockLease next = Await.within(HolderProcess.LEASE.plus(SLACK), lock).orElseThrow();
    assertThat(next.fencingToken()).isGreaterThan(fencing);
  }

  @Test
  @DisplayName("M17 a stopped process finds that it has lost everything, and harms nobody")
  void stopped() throws Exception {
    LockHolder before = get(state.locks().holder("l")).orElseThrow();
    child.signal("STOP");
    LockLease lock = get(state.locks().acquire("l", "next", LONG, LONG)).orElseThrow();
    assertThat(lock.fencingToken()).isGreaterThan(before.fencingToken());
    List<Permit> all = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      all.add(get(semaphore.acquire(LONG)).orElseThrow());
    }
    child.signal("CONT");
    assertThat(child.ask())
        .startsWith("held false healthy 0 released false")
        .doesNotContain("RUNTIME_CLOSED");
    assertThat(get(state.locks().renew(lock, LONG))).isTrue();
    assertThat(all).allMatch(Permit::isHealthy);
    assertThat(get(semaphore.snapshot()).inFlight()).isEqualTo(LIMIT);
  }
}
