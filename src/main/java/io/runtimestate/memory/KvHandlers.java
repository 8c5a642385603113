package io.runtimestate.memory;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyValue;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.memory.table.DataEntry;
import io.runtimestate.memory.table.Entry;
import io.runtimestate.memory.table.Keyspace;
import io.runtimestate.memory.table.ValueEntry;
import io.runtimestate.memory.table.Values;
import io.runtimestate.operation.KvOperation.CompareAndSet;
import io.runtimestate.operation.KvOperation.DeleteIfEquals;
import io.runtimestate.operation.KvOperation.Get;
import io.runtimestate.operation.KvOperation.GetMany;
import io.runtimestate.operation.KvOperation.Increment;
import io.runtimestate.operation.KvOperation.Set;
import io.runtimestate.operation.KvOperation.SetIfAbsent;
import io.runtimestate.operation.KvOperation.SetMany;
import io.runtimestate.operation.KvOperation.Take;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Values in memory. */
final class KvHandlers {
  private final Keyspace keyspace;
  private final Values values;
  private final MemoryClock clock;

  KvHandlers(Store store) {
    this.keyspace = store.keyspace;
    this.values = store.values;
    this.clock = store.clock;
  }

  void register(Owner owner) {
    owner.on(Set.class, this::set);
    owner.on(SetIfAbsent.class, this::setIfAbsent);
    owner.on(Get.class, this::get);
    owner.onChunked(GetMany.class, this::getMany);
    owner.onChunked(SetMany.class, this::setMany);
    owner.on(Take.class, this::take);
    owner.on(CompareAndSet.class, this::compareAndSet);
    owner.on(DeleteIfEquals.class, this::deleteIfEquals);
    owner.on(Increment.class, this::increment);
  }

  private Void set(Set set) {
    if (isZero(set.ttl())) {
      keyspace.delete(set.key());
    } else {
      DataEntry existing = keyspace.find(set.key());
      boolean keep = set.keepTtl() && existing != null;
      long deadline = keep ? existing.deadline() : deadline(set.ttl());
      values.put(set.key(), existing, set.value(), deadline);
    }
    return null;
  }

  private boolean setIfAbsent(SetIfAbsent set) {
    return putIfAbsent(set.key(), set.value(), set.ttl());
  }

  private boolean putIfAbsent(String key, String value, Optional<Duration> ttl) {
    boolean absent = keyspace.find(key) == null;
    if (absent) {
      values.put(key, null, value, deadline(ttl));
    }
    return absent;
  }

  private Optional<String> get(Get get) {
    ValueEntry value = value(get.key());
    return value == null ? Optional.empty() : Optional.of(value.text());
  }

  private Chunks<String, List<Optional<String>>> getMany(GetMany get) {
    List<Optional<String>> texts = new ArrayList<>(get.keys().size());
    return new Chunks<>(
        get.keys(),
        keys -> keys.forEach(key -> texts.add(textOrAbsent(key))),
        () -> Collections.unmodifiableList(texts));
  }

  private Optional<String> textOrAbsent(String key) {
    return keyspace.find(key) instanceof ValueEntry value
        ? Optional.of(value.text())
        : Optional.empty();
  }

  private Chunks<KeyValue, Void> setMany(SetMany set) {
    return new Chunks<>(set.entries(), piece -> setPiece(piece, set.ttl()), () -> null);
  }

  private void setPiece(List<KeyValue> entries, Optional<Duration> ttl) {
    if (isZero(ttl)) {
      entries.forEach(entry -> keyspace.delete(entry.key()));
      return;
    }
    Map<String, String> texts = Values.lastOfEach(entries);
    values.requireRoom(texts);
    long deadline = deadline(ttl);
    texts.forEach((key, text) -> values.store(key, keyspace.find(key), text, deadline));
  }

  private Optional<String> take(Take take) {
    ValueEntry value = value(take.key());
    if (value == null) {
      return Optional.empty();
    }
    keyspace.remove(value);
    return Optional.of(value.text());
  }

  private boolean compareAndSet(CompareAndSet set) {
    if (set.expected().isEmpty()) {
      return putIfAbsent(set.key(), set.value(), set.ttl());
    }
    ValueEntry value = value(set.key());
    boolean equal = value != null && value.text().equals(set.expected().get());
    if (equal) {
      long deadline = set.ttl().isPresent() ? deadline(set.ttl()) : value.deadline();
      values.put(set.key(), value, set.value(), deadline);
    }
    return equal;
  }

  private boolean deleteIfEquals(DeleteIfEquals delete) {
    ValueEntry value = value(delete.key());
    boolean equal = value != null && value.text().equals(delete.expected());
    if (equal) {
      keyspace.remove(value);
    }
    return equal;
  }

  private long increment(Increment increment) {
    ValueEntry value = value(increment.key());
    long sum = sum(value == null ? 0 : number(value.text()), increment.delta());
    long deadline = value == null ? deadline(increment.ttl()) : value.deadline();
    values.put(increment.key(), value, Long.toString(sum), deadline);
    return sum;
  }

  private static long number(String text) {
    try {
      long number = Long.parseLong(text);
      if (Long.toString(number).equals(text)) { // neither "+1" nor "007" nor "-0"
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // the same answer as for any other text
    }
    throw new RuntimeStateException(
        FailureCode.WRONG_TYPE, "the value is not a canonical 64-bit integer");
  }

  private static long sum(long number, long delta) {
    try {
      return Math.addExact(number, delta);
    } catch (ArithmeticException beyond64Bits) {
      throw new RuntimeStateException(
          FailureCode.INVALID_INPUT, "delta must keep the number within 64 bits");
    }
  }

  private ValueEntry value(String key) {
    return keyspace.find(key, ValueEntry.class);
  }

  private long deadline(Optional<Duration> ttl) {
    return ttl.isPresent() ? clock.deadline(ttl.get()) : Entry.NEVER;
  }

  private static boolean isZero(Optional<Duration> ttl) {
    return ttl.isPresent() && ttl.get().isZero();
  }
}
