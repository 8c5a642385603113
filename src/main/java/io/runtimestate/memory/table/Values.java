package io.runtimestate.memory.table;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyValue;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.Utf8;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The values of a keyspace and their capacity. Only live values count. When a new one finds no
 * room, expired objects go first; then the least recently written value is evicted or, by policy,
 * the write is refused. Overwriting a live value never evicts.
 */
public final class Values {
  /** Estimated bytes of a value beside its texts: object, strings, table slot, deadline. */
  public static final int OVERHEAD = 128;

  private final Keyspace keyspace;
  private final int max;
  private final boolean evicts;
  private final BooleanSupplier reclaimOne;
  private ValueEntry oldest;
  private ValueEntry newest;
  private long evictions;

  /**
   * @param max how many live values may be stored
   * @param evicts whether a full table drops its oldest value; else it refuses
   * @param reclaimOne drops one expired object, false if there is none
   */
  public Values(Keyspace keyspace, int max, boolean evicts, BooleanSupplier reclaimOne) {
    this.keyspace = keyspace;
    this.max = max;
    this.evicts = evicts;
    this.reclaimOne = reclaimOne;
  }

  /** How many values were dropped to make room for others. */
  public long evictions() {
    return evictions;
  }

  /**
   * Stores a text.
   *
   * @param existing the live object of that key, of any type, or null
   * @throws RuntimeStateException CAPACITY_EXHAUSTED if there is no room; nothing has changed
   */
  public void put(String key, DataEntry existing, String text, long deadline) {
    int length = Utf8.length(text);
    if (existing instanceof ValueEntry value) {
      keyspace.budget().require(length - value.length());
    } else {
      requireRoom(bytes(key, length) - bytes(existing));
    }
    store(key, existing, text, length, deadline);
  }

  /** Stores a text for which there is room, evicting the oldest value if the table is full. */
  public void store(String key, DataEntry existing, String text, long deadline) {
    store(key, existing, text, Utf8.length(text), deadline);
  }

  private void store(String key, DataEntry existing, String text, int length, long deadline) {
    if (existing instanceof ValueEntry value) {
      value.replace(text, length);
      touch(value);
      keyspace.schedule(value, deadline);
    } else {
      add(key, existing, text, length, deadline);
    }
  }

  /**
   * Makes sure that all these values fit, so that storing them one by one cannot be refused.
   *
   * @throws RuntimeStateException CAPACITY_EXHAUSTED if they do not; nothing has changed
   */
  public void requireRoom(Map<String, String> texts) {
    long added = texts.keySet().stream().filter(key -> !isValue(keyspace.find(key))).count();
    reclaimUntilFree(added);
    if (!evicts && keyspace.count(DataType.VALUE) + added > max) {
      throw full();
    }
    long growth = 0;
    for (Map.Entry<String, String> entry : texts.entrySet()) {
      growth +=
          bytes(entry.getKey(), Utf8.length(entry.getValue()))
              - bytes(keyspace.find(entry.getKey()));
    }
    keyspace.budget().require(growth - victimBytes(texts, added));
  }

  /** What storing these values evicts: the oldest that are not among them. */
  private long victimBytes(Map<String, String> texts, long added) {
    long surplus = keyspace.count(DataType.VALUE) + added - max;
    long bytes = 0;
    for (ValueEntry value = oldest; value != null && surplus > 0; value = value.newer) {
      if (!texts.containsKey(value.key())) {
        bytes += value.bytes;
        surplus--;
      }
    }
    return bytes;
  }

  /** The same for entries that may repeat a key. */
  public static Map<String, String> lastOfEach(Iterable<KeyValue> entries) {
    Map<String, String> texts = new LinkedHashMap<>();
    entries.forEach(entry -> texts.put(entry.key(), entry.value()));
    return texts;
  }

  private void add(String key, DataEntry existing, String text, int length, long deadline) {
    if (existing != null) {
      keyspace.remove(existing);
    }
    if (isFull()) {
      evictions++;
      keyspace.remove(oldest);
    }
    ValueEntry value = new ValueEntry(this, key, text, length, bytes(key, length));
    keyspace.add(value);
    keyspace.schedule(value, deadline);
    link(value);
  }

  private void requireRoom(long growth) {
    reclaimUntilFree(1);
    while (!keyspace.budget().fits(growth - victimBytes()) && reclaimOne.getAsBoolean()) {
      // what has expired goes before anything is refused
    }
    if (isFull() && !evicts) {
      throw full();
    }
    keyspace.budget().require(growth - victimBytes());
  }

  private void reclaimUntilFree(long places) {
    while (keyspace.count(DataType.VALUE) + places > max && reclaimOne.getAsBoolean()) {
      // each turn drops one expired object
    }
  }

  private boolean isFull() {
    return keyspace.count(DataType.VALUE) >= max;
  }

  private long victimBytes() {
    return isFull() && evicts ? oldest.bytes : 0;
  }

  private RuntimeStateException full() {
    return new RuntimeStateException(
        FailureCode.CAPACITY_EXHAUSTED,
        "memory.maxValues is " + max + " and all are in use; raise it");
  }

  private static boolean isValue(DataEntry entry) {
    return entry instanceof ValueEntry;
  }

  private static long bytes(DataEntry entry) {
    return entry == null ? 0 : entry.bytes;
  }

  private static long bytes(String key, int length) {
    return (long) OVERHEAD + Utf8.length(key) + length;
  }

  private void touch(ValueEntry value) {
    if (value != newest) {
      unlink(value);
      link(value);
    }
  }

  private void link(ValueEntry value) {
    value.older = newest;
    if (newest == null) {
      oldest = value;
    } else {
      newest.newer = value;
    }
    newest = value;
  }

  void unlink(ValueEntry value) {
    if (value.older == null) {
      oldest = value.newer;
    } else {
      value.older.newer = value.newer;
    }
    if (value.newer == null) {
      newest = value.older;
    } else {
      value.newer.older = value.older;
    }
    value.older = null;
    value.newer = null;
  }
}
