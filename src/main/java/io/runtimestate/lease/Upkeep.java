package io.runtimestate.lease;

import io.runtimestate.data.LossReason;
import io.runtimestate.spi.Callers;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps one lease alive until it is released or lost.
 *
 * <p><b>Validity</b> counts from before a request was sent, on the local clock, so it always ends
 * before the lease does in the store. It ends for good: whoever finds it over says so for
 * everybody, and a renewal that is confirmed a moment later comes too late.
 *
 * <p><b>One owner.</b> Renewals, the release and the loss are decided on the loop, one after the
 * other: nothing is renewed once the release has begun, and the release goes out when no renewal is
 * on its way.
 */
final class Upkeep extends Alarm {
  private static final long OVER = -1;
  private static final int MOST_ON_THEIR_WAY = 2; // one may be lost without costing the lease
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;
  private static final long NANOS_PER_MILLI = 1_000_000;

  // ---- fixed ----
  private final LeaseLoop loop;
  private final Holdings holdings;
  private final Holding holding;
  private final long origin = System.nanoTime();
  // ---- any thread ----
  private final AtomicLong validUntil; // nanoseconds from the origin, or OVER
  private volatile boolean released;
  // ---- loop only ----
  private final Pauses pauses = new Pauses(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
  private final List<Listener> listeners = new ArrayList<>(1);
  private final List<Promise<Boolean>> releasing = new ArrayList<>(1);
  private State state = State.KEPT;
  private LossReason loss;
  private AsyncResult<Boolean> outcome;
  private WeakReference<?> user;
  private long renewalDue;
  private int onTheirWay;

  private enum State {
    KEPT,
    RELEASING,
    RELEASED,
    RELEASE_FAILED,
    LOST
  }

  private record Listener(Context context, Handler<LossReason> handler) {}

  private Upkeep(LeaseLoop loop, Holdings holdings, Holding holding, long validNanos) {
    this.loop = loop;
    this.holdings = holdings;
    this.holding = holding;
    this.validUntil = new AtomicLong(Math.max(0, validNanos));
    this.renewalDue = validNanos - nanos(holding.ttlMillis()) + nanos(holding.intervalMillis());
  }

  /**
   * Begins, on the loop.
   *
   * @param validNanos how long the lease is certainly valid from now
   */
  static Upkeep start(LeaseLoop loop, Holdings holdings, Holding holding, long validNanos) {
    Upkeep upkeep = new Upkeep(loop, holdings, holding, validNanos);
    holdings.add(holding.kind(), holding.token(), upkeep);
    upkeep.arm();
    return upkeep;
  }

  /** Releases in the background when that object is used no more; on the loop. */
  void keptFor(Object handle) {
    user = new WeakReference<>(handle);
  }

  String token() {
    return holding.token();
  }

  boolean isHeld() {
    long until = validUntil.get();
    while (until != OVER && elapsed() >= until) {
      validUntil.compareAndSet(until, OVER);
      until = validUntil.get();
    }
    return until != OVER && !released;
  }

  Duration remaining() {
    long left = validUntil.get() - elapsed();
    return isHeld() && left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
  }

  void onLost(Context context, Handler<LossReason> handler) {
    Listener listener = new Listener(context, handler);
    loop.run(() -> listen(listener));
  }

  /** Stops renewing and gives the lease back; the promise gets the answer of the store. */
  void release(Promise<Boolean> promise) {
    released = true;
    loop.run(() -> releaseHere(promise));
  }

  /** As {@link #release}; what cannot be released now is released in the background. */
  void release(Promise<Boolean> promise, boolean recallOnFailure) {
    if (recallOnFailure) {
      promise.future().onFailure(failure -> holding.recall().run());
    }
    release(promise);
  }

  /** Somebody released its token; from any thread. */
  void releasedByOthers() {
    loop.run(
        () -> {
          if (state == State.KEPT) {
            lose(LossReason.OWNERSHIP_LOST);
          }
        });
  }

  /** Ends with the runtime, on the loop; completes when the lease is given back, if it can be. */
  Future<?> close(long timeoutMillis) {
    Promise<Boolean> gone = Callers.promise(loop.vertx());
    if (state == State.KEPT) {
      lose(LossReason.RUNTIME_CLOSED);
      return holding.release().apply(timeoutMillis);
    }
    if (state == State.RELEASING) {
      releasing.add(gone);
    } else {
      gone.complete(false);
    }
    return gone.future();
  }

  @Override
  void ring() {
    if (!isHeld()) {
      lose(LossReason.EXPIRED);
    } else if (isDropped()) {
      abandon();
    } else {
      if (elapsed() >= renewalDue && onTheirWay < MOST_ON_THEIR_WAY) {
        renew();
      }
      arm();
    }
  }

  private void arm() {
    if (state == State.KEPT) {
      long until = Math.max(0, validUntil.get());
      long due = onTheirWay < MOST_ON_THEIR_WAY ? Math.min(renewalDue, until) : until;
      loop.alarms().set(this, origin + due);
    }
  }

  private void renew() {
    long sent = elapsed();
    renewalDue = sent + nanos(holding.intervalMillis());
    onTheirWay++;
    holding
        .renew()
        .apply(renewalTimeout(sent))
        .onComplete((held, failure) -> loop.run(() -> renewed(sent, held, failure)));
  }

  private long renewalTimeout(long now) {
    long left = Math.max(1, (validUntil.get() - now) / NANOS_PER_MILLI);
    return holding.timeoutMillis() > 0 ? Math.min(holding.timeoutMillis(), left) : left;
  }

  private void renewed(long sent, Boolean held, Throwable failure) {
    onTheirWay--;
    if (state == State.RELEASING && onTheirWay == 0) {
      sendRelease();
    } else if (state == State.KEPT) {
      heard(sent, held, failure);
      arm();
    }
  }

  private void heard(long sent, Boolean held, Throwable failure) {
    if (failure != null) {
      renewalDue = Math.min(renewalDue, elapsed() + pauses.nextNanos());
    } else if (held) {
      pauses.reset();
      extend(sent + nanos(holding.ttlMillis()));
    } else {
      lose(LossReason.OWNERSHIP_LOST);
    }
  }

  private void extend(long until) {
    long before = validUntil.get();
    boolean valid = before != OVER && elapsed() < before;
    if (!valid || until > before && !validUntil.compareAndSet(before, until)) {
      lose(LossReason.EXPIRED);
    }
  }

  private void lose(LossReason reason) {
    state = State.LOST;
    loss = reason;
    stopKeeping();
    if (reason != LossReason.RUNTIME_CLOSED) {
      holdings.lost(holding.kind());
    }
    listeners.forEach(this::tell);
    listeners.clear();
    if (reason == LossReason.EXPIRED) {
      holding.recall().run(); // the store may think otherwise, and nobody else could release it
    }
  }

  private void stopKeeping() {
    validUntil.set(OVER);
    loop.alarms().cancel(this);
    holdings.remove(holding.kind(), holding.token());
  }

  private void listen(Listener listener) {
    if (state == State.LOST) {
      tell(listener);
    } else if (state == State.KEPT) {
      listeners.add(listener);
    }
  }

  /** By a task of the listener's own context; a release that came first keeps it from hearing. */
  private void tell(Listener listener) {
    LossReason reason = loss;
    try {
      listener
          .context()
          .runOnContext(
              now -> {
                if (!released) {
                  listener.handler().handle(reason);
                }
              });
    } catch (RejectedExecutionException vertxIsClosed) {
      // nobody is left who could be told
    }
  }

  private boolean isDropped() {
    return user != null && user.get() == null;
  }

  private void abandon() {
    state = State.RELEASED;
    stopKeeping();
    holding.recall().run();
  }

  private void releaseHere(Promise<Boolean> promise) {
    switch (state) {
      case KEPT -> {
        stopKeeping();
        listeners.clear();
        beginRelease(promise);
      }
      case RELEASE_FAILED -> beginRelease(promise);
      case RELEASING -> releasing.add(promise);
      case RELEASED -> answer(promise);
      case LOST -> promise.complete(false);
    }
  }

  private void beginRelease(Promise<Boolean> promise) {
    state = State.RELEASING;
    releasing.add(promise);
    if (onTheirWay == 0) {
      sendRelease();
    }
  }

  private void sendRelease() {
    holding
        .release()
        .apply(holding.timeoutMillis())
        .onComplete(answer -> loop.run(() -> releaseAnswered(answer)));
  }

  private void releaseAnswered(AsyncResult<Boolean> answer) {
    boolean again = answer.failed() && holding.releaseAgain();
    state = again ? State.RELEASE_FAILED : State.RELEASED;
    outcome = answer;
    List<Promise<Boolean>> waiting = List.copyOf(releasing);
    releasing.clear();
    waiting.forEach(this::answer);
  }

  private void answer(Promise<Boolean> promise) {
    if (outcome.succeeded()) {
      promise.complete(outcome.result());
    } else {
      promise.fail(outcome.cause());
    }
  }

  private long elapsed() {
    return System.nanoTime() - origin;
  }

  private static long nanos(long millis) {
    return millis * NANOS_PER_MILLI;
  }
}
