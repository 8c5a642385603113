package io.runtimestate;

import io.runtimestate.data.KeyValue;
import io.runtimestate.lease.FlightOptions;
import io.runtimestate.lease.Leases;
import io.runtimestate.operation.KvOperation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Values: texts with an optional expiry.
 *
 * <p>A key is 1 to 65 536 bytes of UTF-8, a value at most 64 MiB. Durations are rounded up to whole
 * milliseconds and are at most 36 525 days. A violated rule fails the future with {@code
 * INVALID_INPUT}; a live key of another type fails it with {@code WRONG_TYPE} where nothing else is
 * said. Every call is one atomic step unless it says otherwise. In memory, a write that finds no
 * room fails {@code CAPACITY_EXHAUSTED} or evicts the least recently written value, as configured.
 */
public final class KeyValues {
  private final Door door;
  private final Leases leases;

  KeyValues(Door door, Leases leases) {
    this.door = door;
    this.leases = leases;
  }

  /** Replaces value and type of a key and clears its expiry. */
  public Future<Void> set(String key, String value) {
    return set(key, value, Ttl.none());
  }

  /**
   * Replaces value, type and expiry of a key.
   *
   * @param ttl null: never expires; zero: deletes the key
   */
  public Future<Void> set(String key, String value, Duration ttl) {
    return door.call(() -> new KvOperation.Set(key, value, Optional.ofNullable(ttl), false));
  }

  /** Replaces value and type of a key, and its expiry as {@code ttl} says. */
  public Future<Void> set(String key, String value, Ttl ttl) {
    Ttl given = ttl == null ? Ttl.none() : ttl;
    return door.call(() -> new KvOperation.Set(key, value, given.duration(), given.isKeep()));
  }

  /** Stores a value without expiry unless a live key of any type exists; true if stored. */
  public Future<Boolean> setIfAbsent(String key, String value) {
    return setIfAbsent(key, value, null);
  }

  /**
   * Stores a value unless a live key of any type exists.
   *
   * @param ttl null: never expires; not zero
   * @return true if stored; false if a key exists, which is left untouched
   */
  public Future<Boolean> setIfAbsent(String key, String value, Duration ttl) {
    return door.call(() -> new KvOperation.SetIfAbsent(key, value, Optional.ofNullable(ttl)));
  }

  /** Reads a value; empty if the key is missing. */
  public Future<Optional<String>> get(String key) {
    return door.call(() -> new KvOperation.Get(key));
  }

  /** Reads a value, or gives the default if the key is missing. */
  public Future<String> getOrDefault(String key, String defaultValue) {
    return get(key).map(value -> value.orElse(defaultValue));
  }

  /**
   * Reads many values at once, at most 100 000. Each piece of 1 000 keys is one snapshot.
   *
   * @return one answer per key, in order; empty for a missing key and for one of another type
   */
  public Future<List<Optional<String>>> getMany(List<String> keys) {
    return door.call(() -> new KvOperation.GetMany(keys));
  }

  /**
   * Sets many values with one expiry, at most 100 000. Each piece of 1 000 is one atomic step; if a
   * later one fails, the earlier ones stay and the failure may have been applied.
   *
   * @param ttl null: no expiry; zero: deletes all the keys
   */
  public Future<Void> setMany(List<KeyValue> entries, Duration ttl) {
    return door.call(() -> new KvOperation.SetMany(entries, Optional.ofNullable(ttl)));
  }

  /** The same for a map; the order in which its entries are set is the map's. */
  public Future<Void> setMany(Map<String, String> values, Duration ttl) {
    return door.call(() -> new KvOperation.SetMany(entries(values), Optional.ofNullable(ttl)));
  }

  /**
   * Reads and deletes a value: of concurrent takers exactly one gets it. A lost reply loses the
   * value; the failure then says that it may have been applied.
   */
  public Future<Optional<String>> take(String key) {
    return door.call(() -> new KvOperation.Take(key));
  }

  /** Replaces a value that equals {@code expected} and keeps its expiry; true if replaced. */
  public Future<Boolean> compareAndSet(String key, String expected, String value) {
    return compareAndSet(key, expected, value, null);
  }

  /**
   * Replaces a value that equals {@code expected}.
   *
   * @param expected null: stores the value if the key is absent
   * @param ttl null: keeps the expiry; not zero
   * @return true if replaced; false if the value differs or is missing
   */
  public Future<Boolean> compareAndSet(String key, String expected, String value, Duration ttl) {
    return door.call(
        () ->
            new KvOperation.CompareAndSet(
                key, Optional.ofNullable(expected), value, Optional.ofNullable(ttl)));
  }

  /** Deletes a value that equals {@code expected}; true if deleted. */
  public Future<Boolean> deleteIfEquals(String key, String expected) {
    return door.call(() -> new KvOperation.DeleteIfEquals(key, expected));
  }

  /** Adds to an integer value; see {@link #increment(String, long, Duration)}. */
  public Future<Long> increment(String key, long delta) {
    return increment(key, delta, null);
  }

  /**
   * Adds to a value read as a 64-bit signed integer; a missing one counts as 0. A text that is not
   * a canonical integer fails {@code WRONG_TYPE}, a sum beyond 64 bits {@code INVALID_INPUT}; both
   * change nothing.
   *
   * @param ttl the expiry if this call creates the key, else ignored; null: none; not zero
   * @return the new number
   */
  public Future<Long> increment(String key, long delta, Duration ttl) {
    return door.call(() -> new KvOperation.Increment(key, delta, Optional.ofNullable(ttl)));
  }

  /** Reads a value, or computes and stores it; waits at most 30 s. */
  public Future<String> getOrCompute(String key, Duration ttl, Supplier<Future<String>> loader) {
    return getOrCompute(key, ttl, loader, FlightOptions.DEFAULT);
  }

  /**
   * Reads a value; if it is missing, computes it, stores it and gives it to everybody who asked
   * meanwhile. At most one loader runs at a time for a key, over the whole store, as long as the
   * lock {@code getOrCompute:<key>} holds, which users must leave alone. A helper, not one step.
   *
   * <p>A loader that fails, throws or gives null ({@code INTERNAL}) fails all who wait for it in
   * this runtime; nothing is stored, and the next call begins anew. A value that cannot be stored,
   * or whose lock was lost meanwhile, is given to the callers all the same.
   *
   * @param key at most 65 000 bytes of UTF-8
   * @param ttl the expiry of a computed value; not zero
   * @param loader runs on the caller's context
   * @return fails {@code TIMED_OUT} if the wait ends without a value; the loader is not stopped
   */
  public Future<String> getOrCompute(
      String key, Duration ttl, Supplier<Future<String>> loader, FlightOptions options) {
    return door.run(() -> leases.getOrCompute(key, ttl, loader, options));
  }

  private static List<KeyValue> entries(Map<String, String> values) {
    return values == null
        ? null
        : values.entrySet().stream()
            .map(entry -> new KeyValue(entry.getKey(), entry.getValue()))
            .toList();
  }
}
