package io.runtimestate.lease;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * One computation of a missing value in this runtime, under the lock that keeps other runtimes from
 * computing it too. Touched by the loop only, except that the loader runs on its caller's context.
 */
final class Flight {
  private final Flights flights;
  private final Leases leases;
  private final Request request;
  private final List<Passenger> passengers = new ArrayList<>(1);
  private AutoRenewedLease lease;

  Flight(Flights flights, Request request) {
    this.flights = flights;
    this.leases = flights.leases();
    this.request = request;
  }

  void take(Passenger passenger) {
    passengers.add(passenger);
  }

  void begin(Duration wait) {
    leases
        .hold(request.lockName(), Request.OWNER, request.flightTtl(), wait)
        .onComplete(this::held, this::notHeld);
  }

  private void held(Optional<AutoRenewedLease> held) {
    if (held.isEmpty()) {
      end(Passenger::stranded);
    } else {
      lease = held.get();
      flights.read(request.key()).onComplete(this::readAgain, this::fail);
    }
  }

  /** Who waits longer than the caller that began may have more luck. */
  private void notHeld(Throwable failure) {
    if (failure instanceof RuntimeStateException known && known.isRetryable()) {
      end(Passenger::stranded);
    } else {
      fail(failure);
    }
  }

  private void readAgain(Optional<String> value) {
    if (value.isPresent()) {
      land(value.get());
    } else {
      load();
    }
  }

  private void load() {
    try {
      request
          .context()
          .runOnContext(
              now -> loaded().onComplete((value, failure) -> onLoop(() -> loaded(value, failure))));
    } catch (RejectedExecutionException vertxIsClosed) {
      fail(Leases.closed(Flights.CALL));
    }
  }

  private Future<String> loaded() {
    try {
      Future<String> value = request.loader().get();
      return value == null ? Callers.failed(leases.vertx(), broken("future")) : value;
    } catch (Throwable thrown) {
      return Callers.failed(leases.vertx(), thrown);
    }
  }

  private void loaded(String value, Throwable failure) {
    if (failure != null) {
      fail(failure);
    } else if (value == null) {
      fail(broken("value"));
    } else if (lease.isHeld()) {
      store(value);
    } else {
      land(value);
    }
  }

  /** The value is good whether or not it could be stored. */
  private void store(String value) {
    try {
      KvOperation.Set set =
          new KvOperation.Set(request.key(), value, Optional.of(request.ttl()), false);
      leases
          .execute(set, leases.commandTimeoutMillis())
          .onComplete(stored -> onLoop(() -> land(value)));
    } catch (RuntimeStateException notStorable) {
      land(value);
    }
  }

  private void land(String value) {
    end(passenger -> passenger.land(value));
  }

  private void fail(Throwable failure) {
    end(passenger -> passenger.fail(failure));
  }

  /** Frees the lock first: whoever is told may call again at once. */
  private void end(Consumer<Passenger> how) {
    flights.landed(this, request.key());
    if (lease != null) {
      lease.release();
    }
    passengers.forEach(how);
  }

  private void onLoop(Runnable task) {
    leases.loop().run(task);
  }

  private static RuntimeStateException broken(String what) {
    return new RuntimeStateException(
        FailureCode.INTERNAL, Flights.CALL + ": the loader gave no " + what);
  }
}
