package io.runtimestate.lease;

import io.runtimestate.data.Guarded;
import io.runtimestate.data.PermitUsage;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * A handle on a semaphore whose permits are renewed until they are released.
 *
 * <p>Handles of one gate and resource share their holders, in this and other processes; each
 * applies its own limit. Failures name gate and limit. Whoever must fail closed treats an empty
 * answer and a failure alike.
 */
public final class Semaphore {
  private final Leases leases;
  private final SemaphoreOptions options;
  private final AtomicInteger highWatermark = new AtomicInteger();
  private final LongAdder rejected = new LongAdder();

  Semaphore(Leases leases, SemaphoreOptions options) {
    this.leases = leases;
    this.options = options;
  }

  /** Takes a permit if one is free and nobody waits; does not wait itself. */
  public Future<Optional<Permit>> tryAcquire() {
    return acquire(Duration.ZERO);
  }

  /**
   * Waits for a permit. Callers of one runtime are served in the order they came.
   *
   * @param waitUpTo zero: one attempt
   * @return empty when the wait has ended
   */
  public Future<Optional<Permit>> acquire(Duration waitUpTo) {
    return explained(
        () -> {
          Duration wait = Waits.wait("semaphore.acquire", waitUpTo);
          PermitContest contest = contest();
          return leases.acquire(contest, wait, grant -> keep(contest, grant)).map(this::counted);
        });
  }

  /**
   * Works while a permit is held. The work runs on the caller's context; the permit is released
   * whatever happens. If it is lost meanwhile, the call fails {@code LEASE_LOST} at once and a
   * later result of the work is dropped.
   *
   * @return {@code NotAcquired} when the wait has ended without a permit
   */
  public <T> Future<Guarded<T>> withPermit(Duration waitUpTo, Function<Permit, Future<T>> work) {
    String call = "semaphore.withPermit";
    if (work == null) {
      return explained(() -> Waits.present(call, "work", null));
    }
    return acquire(waitUpTo)
        .compose(permit -> Guard.run(call, leases.vertx(), permit, Permit::upkeep, work));
  }

  /** How much of the semaphore is in use, and what this handle has seen of it. */
  public Future<SemaphoreSnapshot> snapshot() {
    SemaphoreOperation.Snapshot snapshot =
        new SemaphoreOperation.Snapshot(options.getGate(), resource(), options.getLimit());
    return explained(() -> leases.execute(snapshot, timeoutMillis())).map(this::seen);
  }

  private PermitContest contest() {
    return leases.contest(
        new SemaphoreOperation.TryAcquire(
            options.getGate(), resource(), options.getLimit(), options.getLeaseTtl()),
        timeoutMillis());
  }

  private Permit keep(PermitContest contest, PermitGrant grant) {
    sawInFlight(grant.inFlight());
    return leases.keep(contest, grant, options.getRenewInterval().toMillis());
  }

  private Optional<Permit> counted(Optional<Permit> permit) {
    if (permit.isEmpty()) {
      rejected.increment();
    }
    return permit;
  }

  private SemaphoreSnapshot seen(PermitUsage usage) {
    sawInFlight(usage.inFlight());
    return new SemaphoreSnapshot(
        options.getGate(),
        resource(),
        usage.limit(),
        usage.inFlight(),
        usage.available(),
        highWatermark.get(),
        rejected.sum());
  }

  private void sawInFlight(int inFlight) {
    highWatermark.accumulateAndGet(inFlight, Math::max);
  }

  private Optional<String> resource() {
    return Optional.ofNullable(options.getResource());
  }

  private long timeoutMillis() {
    return options.getCommandTimeout() == null
        ? leases.commandTimeoutMillis()
        : StateBackend.timeoutMillis(options.getCommandTimeout());
  }

  private interface Call<T> {
    Future<T> run();
  }

  /** Adds gate and limit to what a failure says; also to a throw. */
  private <T> Future<T> explained(Call<T> call) {
    try {
      return call.run().recover(failure -> Callers.failed(leases.vertx(), explained(failure)));
    } catch (RuntimeStateException broken) {
      return Callers.failed(leases.vertx(), explained(broken));
    }
  }

  private Throwable explained(Throwable failure) {
    if (!(failure instanceof RuntimeStateException known)) {
      return failure;
    }
    String text = known.getMessage();
    if (text.endsWith(RuntimeStateException.MAY_HAVE_BEEN_APPLIED)) {
      text =
          text.substring(0, text.length() - RuntimeStateException.MAY_HAVE_BEEN_APPLIED.length());
    }
    return new RuntimeStateException(
        known.code(),
        text + " (gate " + options.getGate() + ", limit " + options.getLimit() + ")",
        known.mayHaveBeenApplied(),
        known);
  }

  @Override
  public String toString() {
    return "Semaphore";
  }
}
