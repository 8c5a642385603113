package io.runtimestate.lease;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.Contended;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How acquisitions and releases of one kind pass the door.
 *
 * @param <O> an acquisition
 * @param <R> its answer
 */
abstract class Passage<O extends Operation<R>, R> {
  private final StateBackend inner;
  private final Lines lines;
  private final Recalls recalls;

  Passage(StateBackend inner, Lines lines, Recalls recalls) {
    this.inner = inner;
    this.lines = lines;
    this.recalls = recalls;
  }

  abstract Contended lineOf(O acquire);

  abstract String tokenOf(O acquire);

  abstract Duration ttlOf(O acquire);

  abstract boolean isGranted(R answer);

  /** The answer to one that would overtake. */
  abstract R busy(O acquire);

  /** The answer as its caller gets it. */
  abstract R received(R granted, long sentNanos);

  /** The renewal that a repeat amounts to; it can never acquire what is free. */
  abstract Operation<Boolean> renewalOf(O acquire);

  /** The answer to a repeat that was renewed. */
  abstract Future<R> renewed(O acquire, StateBackend door, long timeoutMillis);

  abstract Operation<Boolean> releaseOf(O acquire);

  /** Hears that a release has succeeded. */
  abstract void released(Operation<Boolean> release);

  abstract Contended lineOfRelease(Operation<Boolean> release);

  Future<R> acquire(O acquire, long timeoutMillis) {
    long sent = System.nanoTime();
    String token = tokenOf(acquire);
    boolean waiting = isAdmitted(lines.find(lineOf(acquire)), token);
    Future<R> answer =
        recalls.isRunning(token)
            ? afterRecall(acquire, timeoutMillis, sent)
            : answer(acquire, timeoutMillis);
    return answer
        .map(given -> inTime(acquire, given, sent))
        .onFailure(failure -> recallIfApplied(acquire, failure, waiting));
  }

  /** What the release of an earlier try takes to end, or to stay unanswered, counts as well. */
  private Future<R> afterRecall(O acquire, long timeoutMillis, long sent) {
    Future<Void> stopped = recalls.stop(tokenOf(acquire));
    return timeoutMillis == StateBackend.NO_TIMEOUT
        ? stopped.compose(free -> answer(acquire, timeoutMillis))
        : stopped
            .timeout(timeoutMillis, TimeUnit.MILLISECONDS)
            .recover(late -> Callers.failed(lines.loop().vertx(), timedOut(acquire, timeoutMillis)))
            .compose(free -> answer(acquire, left(timeoutMillis, sent)));
  }

  /** The earlier try may have been applied, and its release is no longer tried again. */
  private static RuntimeStateException timedOut(Operation<?> acquire, long timeoutMillis) {
    return new RuntimeStateException(
        FailureCode.TIMED_OUT,
        acquire.name() + ": timed out after " + timeoutMillis + " ms",
        true,
        null);
  }

  private static long left(long timeoutMillis, long sent) {
    return Math.max(1, timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sent));
  }

  private Future<R> answer(O acquire, long timeoutMillis) {
    Line line = lines.find(lineOf(acquire));
    return line == null || !line.isPassedBy(tokenOf(acquire))
        ? inner.execute(acquire, timeoutMillis)
        : repeat(acquire, timeoutMillis);
  }

  private static boolean isAdmitted(Line line, String token) {
    return line != null && line.admits(token);
  }

  private Future<R> repeat(O acquire, long timeoutMillis) {
    return inner
        .execute(renewalOf(acquire), timeoutMillis)
        .compose(
            held ->
                held
                    ? renewed(acquire, inner, timeoutMillis)
                    : Callers.succeeded(lines.loop().vertx(), busy(acquire)));
  }

  /** An answer that comes when the time granted may be over is none. */
  private R inTime(O acquire, R answer, long sent) {
    if (!isGranted(answer)) {
      return answer;
    }
    if (System.nanoTime() - sent >= ttlOf(acquire).toNanos()) {
      recall(acquire);
      return busy(acquire);
    }
    return received(answer, sent);
  }

  /** Whoever stands in line tries again with the same token, and recalls when giving up. */
  private void recallIfApplied(O acquire, Throwable failure, boolean waiting) {
    if (!waiting && mayHaveBeenApplied(failure)) {
      recall(acquire);
    }
  }

  /** Releases in the background what an acquisition may have got. */
  void recall(O acquire) {
    Operation<Boolean> release = releaseOf(acquire);
    recalls.start(tokenOf(acquire), ttlOf(acquire), timeout -> recallOnce(release, timeout));
  }

  private Future<Boolean> recallOnce(Operation<Boolean> release, long timeoutMillis) {
    try {
      return release(release, timeoutMillis);
    } catch (RuntimeException defect) {
      return Callers.failed(lines.loop().vertx(), Leases.defect(release, defect));
    }
  }

  Future<Boolean> release(Operation<Boolean> release, long timeoutMillis) {
    return inner
        .execute(release, timeoutMillis)
        .onComplete((gone, failure) -> seen(release, gone, failure));
  }

  private void seen(Operation<Boolean> release, Boolean gone, Throwable failure) {
    boolean certainlyGone = failure == null && gone;
    if (certainlyGone) {
      released(release);
    }
    if (certainlyGone || mayHaveBeenApplied(failure)) {
      lines.released(lineOfRelease(release));
    }
  }

  private static boolean mayHaveBeenApplied(Throwable failure) {
    return failure instanceof RuntimeStateException known && known.mayHaveBeenApplied();
  }
}
