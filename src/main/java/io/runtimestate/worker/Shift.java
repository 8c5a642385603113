package io.runtimestate.worker;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker at work, from start to close. Everything but {@link #close}, {@link #pumpSoon} and the
 * getters happens on its context.
 */
final class Shift {
  /** How long closing waits for an answer that nobody needs any more. */
  private static final long FAREWELL_MILLIS = 300;

  private final QueueWorker worker;
  private final WorkContext context;
  private final Promise<Void> started = Promise.promise();
  private final Promise<Void> ended = Promise.promise();
  private final Parking parking;
  private final Handling handling;
  private final Intake intake;
  private Runnable cancelHeartbeat = () -> {};
  private volatile boolean running;
  private boolean closing;

  Shift(QueueWorker worker, WorkContext context) {
    this.worker = worker;
    this.context = context;
    this.parking = new Parking(worker.settings());
    this.handling = new Handling(worker, this, parking);
    this.intake = new Intake(worker, this, handling);
  }

  WorkContext context() {
    return context;
  }

  Future<Void> started() {
    return started.future();
  }

  Future<Void> ended() {
    return ended.future();
  }

  boolean isRunning() {
    return running;
  }

  boolean isClosing() {
    return closing;
  }

  Future<Void> start() {
    context.run(
        () ->
            worker
                .door()
                .ensureGroup(worker.settings().groupStart())
                .compose(group -> requireDeadLetters())
                .onComplete(ready -> begin(), this::notStarted));
    return started.future();
  }

  private Future<?> requireDeadLetters() {
    return worker.settings().deadLetterStream().isPresent()
        ? worker.door().requireDeadLetters()
        : context.done(null);
  }

  private void begin() {
    if (!closing) {
      running = true;
      cancelHeartbeat = context.every(worker.settings().heartbeat(), this::keep);
      intake.start();
    }
    started.tryComplete();
  }

  private void notStarted(Throwable failure) {
    worker.startFailed();
    started.tryFail(failure);
    ended.tryComplete();
  }

  /** Keeps what is being handled, or waits for its turn, from being taken over. */
  private void keep() {
    List<String> ids = new ArrayList<>(handling.ids());
    ids.addAll(parking.toKeep());
    if (!ids.isEmpty()) {
      worker.door().extend(ids).onFailure(this::troubled);
    }
  }

  /** Something failed that will be tried again. */
  void troubled(Throwable failure) {
    intake.troubled(failure);
  }

  void pump() {
    intake.pump();
  }

  void pumpSoon() {
    context.soon(this::pump);
  }

  /** The runtime is closed; so is the worker. */
  void gone() {
    if (!closing) {
      worker.close();
    }
  }

  Future<Void> close() {
    context.soon(this::closeHere);
    return ended.future();
  }

  private void closeHere() {
    closing = true;
    started.tryFail(QueueWorker.closed());
    Future<?> received = intake.stop();
    Future<?> returned = handling.giveBackWaiting();
    handling
        .drained(worker.settings().drainTimeout())
        .compose(drained -> briefly(received))
        .compose(quiet -> briefly(returned))
        .compose(quiet -> briefly(signOff()))
        .onComplete(done -> end());
  }

  /** Takes the worker out of the group; one for which something is pending stays. */
  private Future<?> signOff() {
    return running
        ? worker.door().removeConsumer(worker.settings().consumer())
        : context.done(null);
  }

  private void end() {
    running = false;
    cancelHeartbeat.run();
    handling.abandon();
    ended.tryComplete();
  }

  /** Completes with the other, whatever becomes of it, or after a moment. */
  private Future<Void> briefly(Future<?> other) {
    Promise<Void> either = context.promise();
    Runnable cancelTimer = context.after(FAREWELL_MILLIS, either::tryComplete);
    other.onComplete(
        done -> {
          cancelTimer.run();
          either.tryComplete();
        });
    return either.future();
  }
}
