package io.runtimestate.lease;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Guarded;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Everything of one runtime that waits for locks and permits or keeps them. Users reach it through
 * the facades of {@code RuntimeState}, which say what each call does.
 */
public final class Leases {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int RENEWALS_PER_TTL = 3;
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  private final Vertx vertx;
  private final LeaseLoop loop;
  private final Lines lines;
  private final Holdings holdings = new Holdings();
  private final LockPassage locks;
  private final PermitPassage permits;
  private final WaitingLine line;
  private final Flights flights;
  private StateBackend door;
  private volatile boolean closed;

  /**
   * @param inner the door to put waiting lines in front of
   * @param shared whether others than this runtime use the store, so that releases may pass
   *     elsewhere; a store that is not shared lives on the caller's event loop
   */
  public Leases(Vertx vertx, StateBackend inner, boolean shared) {
    this(vertx, inner, shared, () -> new Pauses(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS));
  }

  /** The same with other pauses between the tries of who waits. */
  Leases(Vertx vertx, StateBackend inner, boolean shared, Supplier<Pauses> pauses) {
    this.vertx = vertx;
    this.loop = shared ? LeaseLoop.another(vertx) : LeaseLoop.ofCaller(vertx);
    this.lines = new Lines(loop, shared, inner.releaseNotices(), pauses);
    Recalls recalls = new Recalls(loop);
    this.locks = new LockPassage(inner, lines, recalls, holdings);
    this.permits = new PermitPassage(inner, lines, recalls, holdings);
    this.line = new WaitingLine(inner, holdings, locks, permits);
    this.door = line;
    this.flights = new Flights(this);
  }

  /** The door with waiting lines. */
  public StateBackend door() {
    return line;
  }

  /** Sends what is done here through a door around {@link #door()}; before the first use. */
  public Leases through(StateBackend outer) {
    door = outer;
    return this;
  }

  /** Waits for a lock. */
  public Future<Optional<LockLease>> acquire(
      String key, String owner, Duration ttl, Duration waitUpTo) {
    Duration wait = Waits.wait("lock.acquire", waitUpTo);
    return acquire(contest(key, owner, ttl), wait, lease -> lease);
  }

  /** Waits for a lock and keeps it. */
  public Future<Optional<AutoRenewedLease>> hold(
      String key, String owner, Duration ttl, Duration waitUpTo) {
    Duration wait = Waits.wait("lock.hold", waitUpTo);
    LockContest contest = contest(key, owner, ttl);
    return acquire(contest, wait, lease -> keep(contest, lease));
  }

  /** Works while a lock is held. */
  public <T> Future<Guarded<T>> withLock(
      String key,
      String owner,
      Duration ttl,
      Duration waitUpTo,
      Function<AutoRenewedLease, Future<T>> work) {
    Waits.present("lock.withLock", "work", work);
    return hold(key, owner, ttl, waitUpTo)
        .compose(lease -> Guard.run("lock.withLock", vertx, lease, AutoRenewedLease::upkeep, work));
  }

  /** Waits for several locks, of which it gets all or none. */
  public Future<Optional<MultiLease>> acquireAll(
      List<String> keys, String owner, Duration ttl, Duration waitUpTo) {
    return new AllOrNone(this, keys, owner, ttl, waitUpTo).acquire();
  }

  /** Runs a task whenever and as long as a lock is held. */
  public Leadership runAsLeader(
      String key, String owner, Duration ttl, Function<AutoRenewedLease, Future<?>> task) {
    Waits.present("lock.runAsLeader", "task", task);
    contest(key, owner, ttl); // checks the arguments
    return new Leadership(this, () -> contest(key, owner, ttl), task).start();
  }

  /** A handle on a semaphore. */
  public Semaphore semaphore(SemaphoreOptions options) {
    return new Semaphore(this, new SemaphoreOptions(options).validate());
  }

  /** Reads a value, or computes and stores it. */
  public Future<String> getOrCompute(
      String key, Duration ttl, Supplier<Future<String>> loader, FlightOptions options) {
    return flights.get(key, ttl, loader, options);
  }

  /**
   * Ends everything: who waits fails CLOSED; what is held is lost with RUNTIME_CLOSED and released
   * as far as that is possible at once. Completes when it has been, or after half a second.
   */
  public Future<Void> close() {
    Promise<Void> done = Callers.promise(vertx);
    closed = true;
    loop.run(
        () -> {
          lines.close();
          flights.close();
          new Farewell(loop, holdings.all()).run(done);
        });
    return done.future();
  }

  Vertx vertx() {
    return vertx;
  }

  LeaseLoop loop() {
    return loop;
  }

  Lines lines() {
    return lines;
  }

  <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    return closed
        ? Callers.failed(vertx, closed(operation.name()))
        : send(operation, timeoutMillis);
  }

  /** Also when closed. A door that throws has a defect, which must not end more than this call. */
  <R> Future<R> send(Operation<R> operation, long timeoutMillis) {
    try {
      return door.execute(operation, timeoutMillis);
    } catch (RuntimeException defect) {
      return Callers.failed(vertx, defect(operation, defect));
    }
  }

  static RuntimeStateException defect(Operation<?> operation, RuntimeException cause) {
    return new RuntimeStateException(
        FailureCode.INTERNAL, operation.name() + ": defect in a backend", true, cause);
  }

  void recall(LockOperation.TryAcquire acquire) {
    locks.recall(acquire);
  }

  void recall(SemaphoreOperation.TryAcquire acquire) {
    permits.recall(acquire);
  }

  long commandTimeoutMillis() {
    return door.description().commandTimeoutMillis();
  }

  boolean isClosed() {
    return closed;
  }

  LockContest contest(String key, String owner, Duration ttl) {
    return new LockContest(this, new LockOperation.TryAcquire(key, owner, ttl));
  }

  PermitContest contest(SemaphoreOperation.TryAcquire acquire, long timeoutMillis) {
    return new PermitContest(this, acquire, timeoutMillis);
  }

  /**
   * One attempt if the wait is zero, else a place in line. A semaphore that nobody waits for is
   * tried first: in a line, those who are all granted at once would have to wait for each other.
   *
   * @param keep what to make of a grant, on the loop
   */
  <G, T> Future<Optional<T>> acquire(Contest<G> contest, Duration wait, Function<G, T> keep) {
    Promise<Optional<T>> promise = Callers.promise(vertx);
    Completable<Optional<G>> outcome =
        (grant, failure) -> {
          if (failure == null) {
            promise.complete(grant.map(keep));
          } else {
            promise.fail(failure);
          }
        };
    Waiter<G> waiter = lines.waiter(contest, wait, outcome);
    if (closed) {
      promise.fail(closed(contest.name()));
    } else if (wait.isZero()) {
      loop.run(() -> tryOutsideLine(waiter, contest.timeoutMillis()));
    } else if (contest.isExclusive() || lines.find(contest.line()) != null) {
      lines.enter(waiter);
    } else {
      loop.run(() -> tryOutsideLine(waiter, Line.timeoutOf(waiter)));
    }
    return promise.future();
  }

  private <G> void tryOutsideLine(Waiter<G> waiter, long timeoutMillis) {
    waiter
        .contest
        .attempt(timeoutMillis)
        .onComplete((grant, failure) -> loop.run(() -> triedOutsideLine(waiter, grant, failure)));
  }

  private <G> void triedOutsideLine(Waiter<G> waiter, Optional<G> grant, Throwable failure) {
    boolean got = failure == null && grant.isPresent();
    boolean again = failure == null ? waiter.refused() : waiter.failed(Line.known(failure));
    if (closed) {
      waiter.finishClosed(got);
    } else if (got) {
      waiter.finish(grant);
    } else if (again && !waiter.isOver()) {
      lines.enter(waiter);
    } else {
      waiter.finish();
    }
  }

  /** Keeps a lock, from the loop. */
  AutoRenewedLease keep(LockContest contest, LockLease lease) {
    long ttl = lease.ttl().toMillis();
    Holding holding =
        new Holding(
            Holdings.LOCK,
            lease.token(),
            ttl,
            Math.max(1, ttl / RENEWALS_PER_TTL),
            contest.timeoutMillis(),
            false,
            timeout -> send(new LockOperation.Renew(lease, lease.ttl()), timeout),
            timeout -> send(new LockOperation.Release(lease), timeout),
            contest::withdraw);
    Upkeep upkeep = Upkeep.start(loop, holdings, holding, lease.remaining().toNanos());
    return new AutoRenewedLease(vertx, lease, upkeep);
  }

  /** Keeps a permit, from the loop. */
  Permit keep(PermitContest contest, PermitGrant grant, long intervalMillis) {
    SemaphoreOperation.TryAcquire got = contest.acquire();
    SemaphoreOperation.Renew renew =
        new SemaphoreOperation.Renew(got.gate(), got.resource(), got.permitToken(), got.ttl());
    SemaphoreOperation.Release release =
        new SemaphoreOperation.Release(got.gate(), got.resource(), got.permitToken());
    Holding holding =
        new Holding(
            Holdings.PERMIT,
            got.permitToken(),
            got.ttl().toMillis(),
            intervalMillis,
            contest.timeoutMillis(),
            true,
            timeout -> send(renew, timeout),
            timeout -> send(release, timeout),
            contest::withdraw);
    long valid = got.ttl().toMillis() * NANOS_PER_MILLI - (System.nanoTime() - grant.sentNanos());
    Upkeep upkeep = Upkeep.start(loop, holdings, holding, valid);
    Permit permit = new Permit(vertx, upkeep);
    upkeep.keptFor(permit);
    return permit;
  }

  static RuntimeStateException closed(String call) {
    return new RuntimeStateException(FailureCode.CLOSED, call + ": the runtime is closed");
  }
}
