package io.runtimestate.fault.run;

import io.runtimestate.lease.Permit;
import io.runtimestate.lease.Semaphore;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Several who want permits, of which there are fewer. */
final class PermitLoad extends Load {
  private static final int LIMIT = 3;
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofMillis(300);

  /** What all of them were given. */
  static final class Book {
    private final List<Permit> permits = new ArrayList<>();

    /** Whether no more are valid than there are. */
    synchronized boolean add(Permit permit) {
      permits.add(permit);
      permits.removeIf(other -> !other.isHealthy());
      return permits.size() <= LIMIT;
    }
  }

  private final Book book;
  private final Semaphore semaphore;

  PermitLoad(Place place, Book book) {
    super(place);
    this.book = book;
    semaphore =
        state
            .semaphores()
            .semaphore(
                new SemaphoreOptions("gate", LIMIT)
                    .setLeaseTtl(TTL)
                    .setRenewInterval(TTL.dividedBy(4)));
  }

  @Override
  Future<?> turn() {
    return call("semaphore.acquire", WAIT.plus(TIMEOUT), () -> semaphore.acquire(WAIT))
        .compose(permit -> permit.map(this::work).orElseGet(Future::succeededFuture));
  }

  private Future<?> work(Permit permit) {
    require(book.add(permit), "more permits were valid than there are");
    return vertx
        .timer(random.nextInt(1, 20))
        .compose(worked -> call("semaphore.release", permit::release));
  }

  @Override
  void verify() {
    Await.until(() -> Await.get(semaphore.snapshot()).inFlight() == 0, "all permits are back");
  }
}
