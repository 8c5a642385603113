package io.runtimestate.lease;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;

/** One caller who waits for a value, at most as long as it said. Its alarm is the end of that. */
final class Passenger extends Alarm {
  private final Flights flights;
  private final Request request;
  private final LeaseLoop loop;
  private final Promise<String> promise;
  private final long deadline;
  private boolean lastRead; // on the loop

  Passenger(Flights flights, Request request) {
    this.flights = flights;
    this.request = request;
    this.loop = flights.leases().loop();
    this.promise = Callers.promise(flights.leases().vertx());
    this.deadline = System.nanoTime() + request.waitUpTo().toNanos();
  }

  Request request() {
    return request;
  }

  Future<String> future() {
    return promise.future();
  }

  Duration timeLeft() {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  /** A value that is there needs nothing else. */
  void begin() {
    flights.read(request.key()).onComplete(this::firstRead, this::fail);
  }

  private void firstRead(Optional<String> value) {
    if (value.isPresent()) {
      land(value.get());
    } else {
      loop.run(this::board);
    }
  }

  private void board() {
    if (!promise.future().isComplete() && !lastRead) {
      loop.alarms().set(this, deadline);
      flights.board(this);
    }
  }

  @Override
  void ring() {
    giveUp();
  }

  void land(String value) {
    if (promise.tryComplete(value)) {
      left();
    }
  }

  void fail(Throwable failure) {
    if (promise.tryFail(failure)) {
      left();
    }
  }

  /** Its flight ended without a result; on the loop. */
  void stranded() {
    if (timeLeft().isZero()) {
      giveUp();
    } else {
      begin();
    }
  }

  private void left() {
    flights.left(this);
    loop.run(() -> loop.alarms().cancel(this));
  }

  /** Somebody else may have stored the value: one last look. */
  private void giveUp() {
    if (!lastRead && !promise.future().isComplete()) {
      lastRead = true;
      flights
          .read(request.key())
          .onComplete(
              (value, failure) -> {
                if (failure == null && value.isPresent()) {
                  land(value.get());
                } else {
                  fail(timedOut());
                }
              });
    }
  }

  private static RuntimeStateException timedOut() {
    return new RuntimeStateException(
        FailureCode.TIMED_OUT, Flights.CALL + ": waitUpTo has passed without a value");
  }
}
