package io.runtimestate.memory.table;

import java.util.Arrays;

/**
 * Every object with a deadline, earliest first: a binary heap with four children per node and the
 * deadlines in an array of their own, so that a step down looks at one cache line. Each entry knows
 * its position, which makes moving and removing O(log n).
 */
public final class ExpiryIndex {
  private static final int CHILDREN = 4;
  private static final int MIN_CAPACITY = 64;

  private final int minCapacity;
  private long[] deadlines;
  private Entry[] entries;
  private int size;

  /** An empty index. */
  public ExpiryIndex() {
    this(MIN_CAPACITY);
  }

  /** An empty index with room for so many objects, which it keeps. */
  ExpiryIndex(int minCapacity) {
    this.minCapacity = minCapacity;
    this.deadlines = new long[minCapacity];
    this.entries = new Entry[minCapacity];
  }

  /** How many objects have a deadline. */
  public int size() {
    return size;
  }

  /** The earliest deadline; {@link Entry#NEVER} if there is none. */
  public long earliest() {
    return size == 0 ? Entry.NEVER : deadlines[0];
  }

  /** Sets, moves or (with {@link Entry#NEVER}) removes the deadline of an entry. */
  public void schedule(Entry entry, long deadline) {
    if (deadline == Entry.NEVER) {
      cancel(entry);
    } else if (entry.heapIndex < 0) {
      entry.deadline = deadline;
      grow();
      up(size++, entry);
    } else {
      entry.deadline = deadline;
      settle(entry.heapIndex, entry);
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
        settle(hole, last);
      }
      shrink();
    }
  }

  /** Removes and returns an entry whose deadline is at or before now; null if there is none. */
  public Entry pollExpired(long now) {
    if (size == 0 || deadlines[0] > now) {
      return null;
    }
    Entry first = entries[0];
    cancel(first);
    return first;
  }

  private void settle(int index, Entry entry) {
    if (index > 0 && entry.deadline < deadlines[(index - 1) / CHILDREN]) {
      up(index, entry);
    } else {
      down(index, entry);
    }
  }

  private void up(int start, Entry entry) {
    int index = start;
    while (index > 0) {
      int parent = (index - 1) / CHILDREN;
      if (deadlines[parent] <= entry.deadline) {
        break;
      }
      place(index, entries[parent]);
      index = parent;
    }
    place(index, entry);
  }

  private void down(int start, Entry entry) {
    int index = start;
    for (int child = earliestChild(index); child >= 0; child = earliestChild(index)) {
      if (deadlines[child] >= entry.deadline) {
        break;
      }
      place(index, entries[child]);
      index = child;
    }
    place(index, entry);
  }

  private int earliestChild(int index) {
    int first = index * CHILDREN + 1;
    int end = Math.min(first + CHILDREN, size);
    int earliest = first < size ? first : -1;
    for (int child = first + 1; child < end; child++) {
      earliest = deadlines[child] < deadlines[earliest] ? child : earliest;
    }
    return earliest;
  }

  private void place(int index, Entry entry) {
    entries[index] = entry;
    deadlines[index] = entry.deadline;
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
    deadlines = Arrays.copyOf(deadlines, capacity);
    entries = Arrays.copyOf(entries, capacity);
  }
}
