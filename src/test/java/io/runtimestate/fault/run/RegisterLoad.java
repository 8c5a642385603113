package io.runtimestate.fault.run;

import io.runtimestate.support.Await;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a value and reads it. What is read is the last that is certain, or one whose fate is
 * unknown: such a write may still be on its way and arrive later than others.
 */
final class RegisterLoad extends Load {
  private final Set<Optional<String>> possible = new HashSet<>();
  private volatile Optional<String> certain = Optional.empty();
  private int written;

  RegisterLoad(Place place) {
    super(place);
  }

  @Override
  Future<?> turn() {
    return (random.nextInt(3) == 0 ? swap() : set()).transform(written -> read());
  }

  private Future<?> set() {
    String value = Integer.toString(written++);
    return booked(value, call("kv.set", () -> state.kv().set("register", value)).map(true));
  }

  /** Refused, if an unknown write has happened after all. */
  private Future<?> swap() {
    String value = Integer.toString(written++);
    String before = certain.orElse(null);
    return booked(
        value, call("kv.compareAndSet", () -> state.kv().compareAndSet("register", before, value)));
  }

  private Future<?> booked(String value, Future<Boolean> write) {
    return write
        .onSuccess(stored -> certain = stored ? Optional.of(value) : certain)
        .onFailure(failure -> bookPossible(value, failure));
  }

  private synchronized void bookPossible(String value, Throwable failure) {
    if (mayHaveBeenApplied(failure)) {
      possible.add(Optional.of(value));
    }
  }

  private Future<?> read() {
    return call("kv.getMany", () -> state.kv().getMany(List.of("register", "nothing")))
        .onSuccess(values -> check(values.get(0)));
  }

  private synchronized void check(Optional<String> value) {
    require(
        value.equals(certain) || possible.contains(value),
        "the register holds " + value + " and not " + certain);
  }

  @Override
  void verify() {
    check(Await.get(state.kv().get("register")));
  }
}
