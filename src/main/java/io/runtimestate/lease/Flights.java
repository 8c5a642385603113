package io.runtimestate.lease;

import io.runtimestate.data.Utf8;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Computations of missing values: one at a time for each key, shared by all who want it. */
final class Flights {
  static final String CALL = "kv.getOrCompute";
  private static final int MAX_KEY_BYTES = 65_000; // the lock of a key has a longer name

  private final Leases leases;
  private final Map<String, Flight> flights = new ConcurrentHashMap<>();
  private final Set<Passenger> passengers = ConcurrentHashMap.newKeySet();

  Flights(Leases leases) {
    this.leases = leases;
  }

  Future<String> get(
      String key, Duration ttl, Supplier<Future<String>> loader, FlightOptions options) {
    FlightOptions given = options == null ? FlightOptions.DEFAULT : options;
    Waits.present(CALL, "loader", loader);
    Request request =
        new Request(
            checked(key, ttl),
            ttl,
            loader,
            given.flightTtl(),
            Waits.wait(CALL, given.waitUpTo()),
            Callers.context(leases.vertx()));
    leases.contest(request.lockName(), Request.OWNER, request.flightTtl()); // checks it
    Passenger passenger = new Passenger(this, request);
    passengers.add(passenger);
    if (leases.isClosed()) { // asked after adding: close() fails whom it finds
      passenger.fail(Leases.closed(CALL));
    } else {
      passenger.begin();
    }
    return passenger.future();
  }

  private static String checked(String key, Duration ttl) {
    new KvOperation.SetIfAbsent(key, "", Optional.ofNullable(ttl)); // the rules of what follows
    Waits.present(CALL, "ttl", ttl);
    if (Utf8.length(key) > MAX_KEY_BYTES) {
      throw Waits.invalid(CALL + ": key must be at most " + MAX_KEY_BYTES + " bytes of UTF-8");
    }
    return key;
  }

  Leases leases() {
    return leases;
  }

  Future<Optional<String>> read(String key) {
    return leases.execute(new KvOperation.Get(key), leases.commandTimeoutMillis());
  }

  /** Joins the flight of a key, or begins one. */
  void board(Passenger passenger) {
    Flight mine = new Flight(this, passenger.request());
    Flight found = flights.putIfAbsent(passenger.request().key(), mine);
    (found == null ? mine : found).take(passenger);
    if (found == null) {
      mine.begin(passenger.timeLeft());
    }
  }

  void landed(Flight flight, String key) {
    flights.remove(key, flight);
  }

  void left(Passenger passenger) {
    passengers.remove(passenger);
  }

  /** Everybody fails. */
  void close() {
    passengers.forEach(passenger -> passenger.fail(Leases.closed(CALL)));
  }
}
