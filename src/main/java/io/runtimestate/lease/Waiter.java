package io.runtimestate.lease;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Completable;
import java.util.Optional;

/**
 * Somebody in a line. Its alarm is the end of its wait. Touched by the loop only.
 *
 * @param <G> what is waited for
 */
final class Waiter<G> extends Alarm {
  final Contest<G> contest;
  final long ticket;
  final long deadline;
  private final Completable<Optional<G>> outcome;
  Line line;
  Waiter<?> before;
  Waiter<?> after;
  boolean linked;
  boolean timeIsUp;
  boolean gone;
  private boolean refused;
  private boolean mayHaveGot;
  private RuntimeStateException failure;

  /**
   * @param ticket its place in the order of calls
   * @param deadline the end of the wait, by {@link System#nanoTime}
   * @param outcome told once, on the loop
   */
  Waiter(Contest<G> contest, long ticket, long deadline, Completable<Optional<G>> outcome) {
    this.contest = contest;
    this.ticket = ticket;
    this.deadline = deadline;
    this.outcome = outcome;
  }

  @Override
  void ring() {
    line.timeIsUp(this);
  }

  /** Stops waiting, from any thread; the outcome is a failure. */
  void leave() {
    line.lines().loop().run(() -> line.dismiss(this));
  }

  /** An attempt was in vain; another one may not be. */
  boolean refused() {
    refused = true;
    failure = null;
    return true;
  }

  /** Whether the wait has ended. */
  boolean isOver() {
    return System.nanoTime() - deadline >= 0;
  }

  /** Whether it has tried in vain. */
  boolean wasRefused() {
    return refused;
  }

  /** Whether it is worth trying again after that failure. */
  boolean failed(RuntimeStateException cause) {
    refused = true;
    failure = cause;
    mayHaveGot |= cause.mayHaveBeenApplied();
    return cause.isRetryable();
  }

  void finish(Optional<G> grant) {
    outcome.complete(grant, null);
  }

  /** Ends without a grant. What an attempt may have got all the same goes back. */
  void finish() {
    if (mayHaveGot) {
      contest.withdraw();
    }
    if (failure == null) {
      outcome.complete(Optional.empty(), null);
    } else {
      outcome.complete(null, failure);
    }
  }

  /**
   * Ends because the runtime is closed.
   *
   * @param got whether an attempt was granted all the same; that goes back
   */
  void finishClosed(boolean got) {
    mayHaveGot |= got;
    failure =
        new RuntimeStateException(
            FailureCode.CLOSED, contest.name() + ": closed", mayHaveGot, null);
    finish();
  }
}
