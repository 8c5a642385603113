package io.runtimestate.memory.table;

import java.util.Arrays;

/**
 * Every object with a deadline, earliest first: a binary heap with four children per node and its
 * ranks in an array of their own, so that a step down looks at one cache line. Each entry knows its
 * position, which makes moving and removing O(log n).
 *
 * <p>A deadline that is put off leaves its entry where it is, under the rank it has: what is
 * renewed again and again moves only when that rank is due. So a rank is a lower bound of its
 * entry's deadline, and putting off costs O(1).
 */
public final class ExpiryIndex {
  private static final int CHILDREN = 4;
  private static final int MIN_CAPACITY = 64;

  private final int minCapacity;
  private long[] ranks;
  private Entry[] entries;
  private int size;

  /** An empty index. */
  public ExpiryIndex() {
    this(MIN_CAPACITY);
  }

  /** An empty index with room for so many objects, which it keeps. */
  ExpiryIndex(int minCapacity) {
    this.minCapacity = minCapacity;
    this.ranks = new long[minCapacity];
    this.entries = new Entry[minCapacity];
  }

  /** How many objects have a deadline. */
  public int size() {
    return size;
  }

  /** The earliest deadline; {@link Entry#NEVER} if there is none. */
  public long earliest() {
    while (size > 0 && isPutOff()) {
      rankFirst();
    }
    return notBefore();
  }

  /** No deadline is earlier; {@link Entry#NEVER} if there is none. Costs nothing. */
  public long notBefore() {
    return size == 0 ? Entry.NEVER : ranks[0];
  }

  /** Sets, moves or (with {@link Entry#NEVER}) removes the deadline of an entry. */
  public void schedule(Entry entry, long deadline) {
    if (deadline == Entry.NEVER) {
      cancel(entry);
      return;
    }
    entry.deadline = deadline;
    if (entry.heapIndex < 0) {
      grow();
      up(size++, entry, deadline);
    } else if (deadline < ranks[entry.heapIndex]) {
      up(entry.heapIndex, entry, deadline);
    }
  }

  /** Removes the deadline of an entry, if it has one. */
  public void cancel(Entry entry) {
    int hole = entry.heapIndex;
    entry.deadline = Entry.NEVER;
    if (hole >= 0) {
      entry.heapIndex = -1;
      Entry last = entries[--size];
      entries[size] = null;
      if (last != entry) {
        settle(hole, last, ranks[size]);
      }
      shrink();
    }
  }

  /**
   * Removes and returns the entry with the earliest deadline, if that is at or before now; else
   * null.
   */
  public Entry pollExpired(long now) {
    Entry expired = null;
    while (expired == null && isDue(now)) {
      expired = settleFirst();
    }
    return expired;
  }

  /** Whether there may be an entry whose deadline is at or before now. */
  public boolean isDue(long now) {
    return size > 0 && ranks[0] <= now;
  }

  /**
   * One step of {@link #pollExpired} while something {@link #isDue}: removes and returns the first
   * entry, or finds it put off, ranks it by its deadline and returns null.
   */
  public Entry settleFirst() {
    if (isPutOff()) {
      rankFirst();
      return null;
    }
    Entry first = entries[0];
    cancel(first);
    return first;
  }

  private boolean isPutOff() {
    return ranks[0] < entries[0].deadline;
  }

  private void rankFirst() {
    down(0, entries[0], entries[0].deadline);
  }

  private void settle(int index, Entry entry, long rank) {
    if (index > 0 && rank < ranks[(index - 1) / CHILDREN]) {
      up(index, entry, rank);
    } else {
      down(index, entry, rank);
    }
  }

  private void up(int start, Entry entry, long rank) {
    int index = start;
    while (index > 0) {
      int parent = (index - 1) / CHILDREN;
      if (ranks[parent] <= rank) {
        break;
      }
      place(index, entries[parent], ranks[parent]);
      index = parent;
    }
    place(index, entry, rank);
  }

  private void down(int start, Entry entry, long rank) {
    int index = start;
    for (int child = earliestChild(index); child >= 0; child = earliestChild(index)) {
      if (ranks[child] >= rank) {
        break;
      }
      place(index, entries[child], ranks[child]);
      index = child;
    }
    place(index, entry, rank);
  }

  private int earliestChild(int index) {
    int first = index * CHILDREN + 1;
    int end = Math.min(first + CHILDREN, size);
    int earliest = first < size ? first : -1;
    for (int child = first + 1; child < end; child++) {
      earliest = ranks[child] < ranks[earliest] ? child : earliest;
    }
    return earliest;
  }

  private void place(int index, Entry entry, long rank) {
    entries[index] = entry;
    ranks[index] = rank;
    entry.heapIndex = index;
  }

  private void grow() {
    if (size == entries.length) {
      resize(size * 2);
    }
  }

  private void shrink() {
    if (entries.length > minCapacity && size < entries.length / 8) {
      resize(entries.length / 4);
    }
  }

  private void resize(int capacity) {
    ranks = Arrays.copyOf(ranks, capacity);
    entries = Arrays.copyOf(entries, capacity);
  }
}
