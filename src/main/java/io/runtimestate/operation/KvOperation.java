package io.runtimestate.operation;

import io.runtimestate.data.KeyValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Operations on values: texts with an optional expiry.
 *
 * @param <R> the result
 */
public sealed interface KvOperation<R> extends Operation<R> {

  /**
   * Replaces value, type and expiry of a key.
   *
   * @param ttl absent: never expires; zero: deletes the key, whatever its type
   * @param keepTtl keeps the expiry of the live key that is replaced; not together with ttl
   */
  record Set(String key, String value, Optional<Duration> ttl, @Default("false") boolean keepTtl)
      implements KvOperation<Void> {
    /** Checks the arguments. */
    public Set {
      Checks.key(this, "key", key);
      Checks.text(this, "value", value);
      ttl = Checks.optionalDuration(this, "ttl", ttl);
      Checks.require(
          !(keepTtl && ttl.isPresent()), this, "ttl", "must not be given together with keepTtl");
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Stores a value unless a live data key of any type has that name; answers whether it did. */
  record SetIfAbsent(String key, String value, Optional<Duration> ttl)
      implements KvOperation<Boolean> {
    /** Checks the arguments. */
    public SetIfAbsent {
      Checks.key(this, "key", key);
      Checks.text(this, "value", value);
      ttl = Checks.optionalPositive(this, "ttl", ttl);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Reads a value. */
  record Get(String key) implements KvOperation<Optional<String>> {
    /** Checks the argument. */
    public Get {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Reads many values, position by position; absent where there is no value. Chunked. */
  record GetMany(List<String> keys) implements KvOperation<List<Optional<String>>> {
    /** Checks and copies the argument. */
    public GetMany {
      keys = Checks.list(this, "keys", keys, Checks::key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Sets many values with one ttl, as {@link Set} does for each. Chunked. */
  record SetMany(List<KeyValue> entries, Optional<Duration> ttl) implements KvOperation<Void> {
    /** Checks and copies the arguments. */
    public SetMany {
      entries = Checks.list(this, "entries", entries, SetMany::entry);
      ttl = Checks.optionalDuration(this, "ttl", ttl);
    }

    private static KeyValue entry(Operation<?> operation, Object what, KeyValue entry) {
      Checks.key(operation, Checks.part(what, ".key"), entry.key());
      Checks.text(operation, Checks.part(what, ".value"), entry.value());
      return entry;
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Reads and deletes a value in one step: of concurrent takers exactly one gets it. */
  record Take(String key) implements KvOperation<Optional<String>> {
    /** Checks the argument. */
    public Take {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Replaces a value if it equals {@code expected}; answers whether it did.
   *
   * @param expected absent: acts as {@link SetIfAbsent}
   * @param ttl absent: keeps the expiry
   */
  record CompareAndSet(String key, Optional<String> expected, String value, Optional<Duration> ttl)
      implements KvOperation<Boolean> {
    /** Checks the arguments. */
    public CompareAndSet {
      Checks.key(this, "key", key);
      expected = Checks.optionalText(this, "expected", expected);
      Checks.text(this, "value", value);
      ttl = Checks.optionalPositive(this, "ttl", ttl);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Deletes a value if it equals {@code expected}; answers whether it did. */
  record DeleteIfEquals(String key, String expected) implements KvOperation<Boolean> {
    /** Checks the arguments. */
    public DeleteIfEquals {
      Checks.key(this, "key", key);
      Checks.text(this, "expected", expected);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Adds to a value read as a 64-bit integer and answers the new number; missing counts as 0.
   *
   * @param ttl applies only when this call created the key
   */
  record Increment(String key, long delta, Optional<Duration> ttl) implements KvOperation<Long> {
    /** Checks the arguments. */
    public Increment {
      Checks.key(this, "key", key);
      ttl = Checks.optionalPositive(this, "ttl", ttl);
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
