package io.runtimestate.memory.table;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * A hash table of named entries that never stops to rehash, can be walked while it changes, and
 * cannot be flooded.
 *
 * <p><b>Growth.</b> A full table gets a successor, and every change moves two of the old buckets
 * over, so a million entries never cost one long step. Both tables are searched until the old one
 * is empty. It shrinks the same way.
 *
 * <p><b>Walking.</b> {@link #scan} counts through the buckets with reversed bits, as Redis does
 * (Pieter Noordhuis, {@code dictScan} in dict.c): the buckets a table is split into are visited
 * together, so an entry present during the whole walk is met at least once however often the table
 * grows or shrinks meanwhile.
 *
 * <p><b>Flooding.</b> Entries are placed by {@link String#hashCode}, which is cached but known to
 * everybody. A chain far longer than chance allows makes the table rebuild itself with a hash under
 * a secret seed, so prepared names cannot pile up in one bucket.
 *
 * @param <E> the entries
 */
public final class Dictionary<E extends Named> {
  private static final int MIN_CAPACITY = 16;
  private static final int BUCKETS_PER_STEP = 2;
  private static final int MOST_QUARTERS = 3; // of the buckets are taken before the table grows
  private static final int LONG_CHAIN = 48;

  private Table current = new Table(MIN_CAPACITY, 0);
  private Table old;
  private int moved;
  private int size;
  private int epoch;

  /** An empty table. */
  public Dictionary() {}

  /** The number of entries. */
  public int size() {
    return size;
  }

  /** Grows when the hash changes: positions of a walk begun in an earlier epoch mean nothing. */
  public int epoch() {
    return epoch;
  }

  /** The entry of that name, or null. */
  public E get(String key) {
    E found = current.find(key);
    return found == null && old != null ? old.find(key) : found;
  }

  /** Adds an entry whose name is not in the table. */
  public void add(E entry) {
    step();
    size++;
    if (current.add(entry) > LONG_CHAIN && current.seed == 0 && old == null) {
      epoch++;
      rebuild(current.buckets.length, ThreadLocalRandom.current().nextLong() | 1);
    }
    if (old == null && size > current.buckets.length / 4 * MOST_QUARTERS) {
      rebuild(current.buckets.length * 2, current.seed);
    }
  }

  /** Removes that entry; it must be in the table. */
  public void remove(E entry) {
    step();
    size--;
    if (!current.remove(entry)) {
      old.remove(entry);
    }
    if (old == null && current.buckets.length > MIN_CAPACITY && size < current.buckets.length / 8) {
      rebuild(current.buckets.length / 4, current.seed);
    }
  }

  /**
   * Visits the entries of one cursor position and returns the next position; 0 begins a walk and
   * ends it. The visitor must not change the table.
   */
  public long scan(long cursor, Consumer<? super E> visitor) {
    if (old == null) {
      current.visit(cursor, visitor);
      return next(cursor, current.mask());
    }
    Table small = old.buckets.length <= current.buckets.length ? old : current;
    Table large = small == old ? current : old;
    small.visit(cursor, visitor);
    long position = cursor;
    do {
      large.visit(position, visitor);
      position = next(position, large.mask());
    } while ((position & (small.mask() ^ large.mask())) != 0);
    return position;
  }

  /** Adds one to the highest bit under the mask, with the carry going down. */
  private static long next(long cursor, long mask) {
    return Long.reverse(Long.reverse(cursor | ~mask) + 1);
  }

  private void rebuild(int capacity, long seed) {
    old = current;
    current = new Table(capacity, seed);
    moved = 0;
  }

  private void step() {
    if (old != null) {
      int end = Math.min(moved + BUCKETS_PER_STEP * shrinkFactor(), old.buckets.length);
      while (moved < end) {
        old.moveTo(current, moved++);
      }
      if (moved == old.buckets.length) {
        old = null;
      }
    }
  }

  /** A shrinking table has many more buckets than entries to move. */
  private int shrinkFactor() {
    return Math.max(1, old.buckets.length / current.buckets.length * 4);
  }

  private final class Table {
    private final Named[] buckets;
    private final long seed;

    Table(int capacity, long seed) {
      this.buckets = new Named[capacity];
      this.seed = seed;
    }

    long mask() {
      return buckets.length - 1;
    }

    @SuppressWarnings("unchecked") // only add() fills the buckets
    E find(String key) {
      int hash = hash(key);
      Named entry = buckets[hash & (buckets.length - 1)];
      while (entry != null && !(entry.hash == hash && entry.key.equals(key))) {
        entry = entry.next;
      }
      return (E) entry;
    }

    /** Returns the length of the chain it was added to, as far as it matters. */
    int add(Named entry) {
      entry.hash = hash(entry.key);
      int bucket = entry.hash & (buckets.length - 1);
      entry.next = buckets[bucket];
      buckets[bucket] = entry;
      int length = 1;
      for (Named e = entry.next; e != null && length <= LONG_CHAIN; e = e.next) {
        length++;
      }
      return length;
    }

    boolean remove(Named entry) {
      int bucket = hash(entry.key) & (buckets.length - 1);
      Named before = null;
      for (Named e = buckets[bucket]; e != null; before = e, e = e.next) {
        if (e == entry) {
          unlink(bucket, before, e);
          return true;
        }
      }
      return false;
    }

    void moveTo(Table target, int bucket) {
      Named entry = buckets[bucket];
      buckets[bucket] = null;
      while (entry != null) {
        Named following = entry.next;
        target.add(entry);
        entry = following;
      }
    }

    @SuppressWarnings("unchecked") // only add() fills the buckets
    void visit(long cursor, Consumer<? super E> visitor) {
      for (Named e = buckets[(int) (cursor & mask())]; e != null; e = e.next) {
        visitor.accept((E) e);
      }
    }

    private void unlink(int bucket, Named before, Named entry) {
      if (before == null) {
        buckets[bucket] = entry.next;
      } else {
        before.next = entry.next;
      }
      entry.next = null;
    }

    private int hash(String key) {
      return seed == 0 ? spread(key.hashCode()) : seeded(key, seed);
    }
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ mixed >>> 16;
  }

  private static int seeded(String key, long seed) {
    long hash = seed;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return (int) (hash ^ hash >>> 32);
  }
}
