package io.runtimestate.lease;

import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.LossReason;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.Callers;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A candidate for a lock that runs a task whenever it holds it.
 *
 * <p>When the task ends or fails, or the lock is lost, it tries again after a pause of 1 to 30
 * seconds. The task hears of a loss through its lease; it is not waited for, so it must stop by
 * itself before it can be called again.
 */
public final class Leadership {
  private static final long FIRST_PAUSE_MILLIS = 2_000;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;
  private static final long LONG_REIGN_NANOS = LONGEST_PAUSE_MILLIS * 1_000_000;

  private final Leases leases;
  private final LeaseLoop loop;
  private final Supplier<LockContest> candidacy;
  private final Function<AutoRenewedLease, Future<?>> task;
  private final Context context;
  private volatile AutoRenewedLease reign;
  // ---- loop only ----
  private final Pauses pauses = new Pauses(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
  private final Alarm again = new NextCandidacy();
  private Waiter<LockLease> waiter;
  private long reignBegan;
  private boolean closed;

  Leadership(
      Leases leases, Supplier<LockContest> candidacy, Function<AutoRenewedLease, Future<?>> task) {
    this.leases = leases;
    this.loop = leases.loop();
    this.candidacy = candidacy;
    this.task = task;
    this.context = Callers.context(leases.vertx());
  }

  private final class NextCandidacy extends Alarm {
    @Override
    void ring() {
      stand();
    }
  }

  Leadership start() {
    loop.run(this::stand);
    return this;
  }

  /** Whether it certainly holds the lock now. */
  public boolean isLeader() {
    AutoRenewedLease now = reign;
    return now != null && now.isHeld();
  }

  /**
   * Stops trying and frees the lock; idempotent, never fails. The task is not waited for: its lease
   * is no longer held.
   */
  public Future<Void> close() {
    Promise<Void> done = Callers.promise(leases.vertx());
    loop.run(() -> closeHere(done));
    return done.future();
  }

  private void closeHere(Promise<Void> done) {
    closed = true;
    loop.alarms().cancel(again);
    if (waiter != null) {
      waiter.leave();
    }
    AutoRenewedLease held = reign;
    reign = null;
    if (held == null) {
      done.complete();
    } else {
      held.release().onComplete(released -> done.complete());
    }
  }

  private void stand() {
    if (!closed) {
      LockContest contest = candidacy.get();
      waiter =
          leases
              .lines()
              .waiter(
                  contest, Durations.LONGEST, (grant, failure) -> decided(contest, grant, failure));
      leases.lines().enter(waiter);
    }
  }

  private void decided(LockContest contest, Optional<LockLease> grant, Throwable failure) {
    waiter = null;
    if (failure == null && grant.isPresent()) {
      begin(leases.keep(contest, grant.get()));
    } else if (!isClosed(failure)) {
      standAgain();
    }
  }

  private static boolean isClosed(Throwable failure) {
    return failure instanceof RuntimeStateException known && known.code() == FailureCode.CLOSED;
  }

  private void begin(AutoRenewedLease lease) {
    reign = lease;
    reignBegan = System.nanoTime();
    lease.onLost(reason -> lost(lease, reason));
    try {
      context.runOnContext(now -> run(lease));
    } catch (RejectedExecutionException vertxIsClosed) {
      // nobody is left who could work
    }
  }

  private void run(AutoRenewedLease lease) {
    Future<?> done;
    try {
      done = task.apply(lease);
    } catch (RuntimeException thrown) {
      done = null;
    }
    if (done == null) {
      loop.run(() -> ended(lease));
    } else {
      done.onComplete(ignored -> loop.run(() -> ended(lease)));
    }
  }

  private void ended(AutoRenewedLease lease) {
    if (reign == lease) {
      reignIsOver();
      lease.release().onComplete(released -> standAgain());
    }
  }

  private void lost(AutoRenewedLease lease, LossReason reason) {
    if (reign == lease) {
      reignIsOver();
      if (reason != LossReason.RUNTIME_CLOSED) {
        standAgain();
      }
    }
  }

  private void reignIsOver() {
    reign = null;
    if (System.nanoTime() - reignBegan >= LONG_REIGN_NANOS) {
      pauses.reset();
    }
  }

  private void standAgain() {
    if (!closed) {
      loop.alarms().set(again, System.nanoTime() + pauses.nextNanos());
    }
  }

  @Override
  public String toString() {
    return "Leadership";
  }
}
