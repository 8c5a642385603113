package io.runtimestate.memory.table;

import io.runtimestate.data.EntryId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A list ordered by entry id that is appended to at its end and shrinks mostly at its beginning, as
 * streams and pending lists do; other places work as well.
 *
 * <p>It is a list of small sorted blocks. Finding is two binary searches; adding and removing move
 * at most one block's worth of references, at either end none. Neighbours that have become small
 * are merged, so removals in random order leave no memory behind.
 *
 * @param <E> the elements
 */
final class IdList<E extends IdList.Element> {
  private static final int BLOCK = 128;
  private static final int FIRST_BLOCK = 4;

  private final ArrayList<Block<E>> blocks = new ArrayList<>();
  private int size;

  /** What has an id. */
  interface Element {
    /** The id, which does not change while the element is in a list. */
    EntryId id();
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The element with the lowest id; the list must not be empty. */
  E first() {
    return blocks.get(0).first();
  }

  /** The element of that id, or null. */
  E get(EntryId id) {
    int at = blockOf(id);
    return at < 0 ? null : blocks.get(at).get(id);
  }

  /** Adds an element whose id is not in the list. */
  void add(E element) {
    size++;
    int at = blockOf(element.id());
    if (at < 0) {
      addBlock(0, element);
    } else if (blocks.get(at).canTake(element.id())) {
      blocks.get(at).add(element);
    } else if (blocks.get(at).isBeyond(element.id())) {
      addBlock(at + 1, element);
    } else {
      blocks.add(at + 1, blocks.get(at).split());
      blocks.get(blockOf(element.id())).add(element);
    }
  }

  /** Removes and returns the element of that id; null if there is none. */
  E remove(EntryId id) {
    int at = blockOf(id);
    E removed = at < 0 ? null : blocks.get(at).remove(id);
    if (removed != null) {
      size--;
      tidy(at);
    }
    return removed;
  }

  /** Visits elements from that id on, in order, until the visitor answers false. */
  void from(EntryId start, Predicate<? super E> visitor) {
    int at = Math.max(0, blockOf(start));
    int index = at < blocks.size() ? blocks.get(at).ceiling(start) : 0;
    while (at < blocks.size()) {
      Block<E> block = blocks.get(at);
      for (; index < block.size(); index++) {
        if (!visitor.test(block.at(index))) {
          return;
        }
      }
      index = 0;
      at++;
    }
  }

  /** How many elements have a greater id; adds up blocks from the nearer end. */
  int countAfter(EntryId id) {
    int at = blockOf(id);
    return at < blocks.size() / 2 ? size - countUpTo(at, id) : countBehind(at, id);
  }

  private int countUpTo(int block, EntryId id) {
    int count = block < 0 ? 0 : blocks.get(block).countUpTo(id);
    for (Block<E> before : blocks.subList(0, Math.max(0, block))) {
      count += before.size();
    }
    return count;
  }

  private int countBehind(int block, EntryId id) {
    int count = block < 0 ? 0 : blocks.get(block).size() - blocks.get(block).countUpTo(id);
    for (Block<E> behind : blocks.subList(block + 1, blocks.size())) {
      count += behind.size();
    }
    return count;
  }

  /** The last block that begins at or before that id; -1 if there is none. */
  private int blockOf(EntryId id) {
    int low = 0;
    int high = blocks.size() - 1;
    if (high >= 0 && blocks.get(high).first().id().compareTo(id) <= 0) {
      return high; // where a stream grows
    }
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (blocks.get(middle).first().id().compareTo(id) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  private void addBlock(int at, E element) {
    Block<E> block = new Block<>(blocks.isEmpty() ? FIRST_BLOCK : BLOCK);
    block.add(element);
    blocks.add(at, block);
  }

  private void tidy(int at) {
    int left = blocks.get(at).size();
    if (left == 0) {
      blocks.remove(at);
    } else if (left < BLOCK / 4 && at + 1 < blocks.size()) {
      Block<E> following = blocks.get(at + 1);
      if (left + following.size() <= BLOCK / 2) {
        blocks.get(at).addAll(following);
        blocks.remove(at + 1);
      }
    }
  }

  /** A sorted array with room at its end and, after removals, at its beginning. */
  private static final class Block<E extends Element> {
    private Element[] elements;
    private int from;
    private int to;

    Block(int capacity) {
      elements = new Element[capacity];
    }

    int size() {
      return to - from;
    }

    @SuppressWarnings("unchecked") // only add() fills the array
    E at(int index) {
      return (E) elements[from + index];
    }

    E first() {
      return at(0);
    }

    /** A full array is not shifted for the sake of one more at its end: a new block follows. */
    boolean canTake(EntryId id) {
      return size() < BLOCK && (to < BLOCK || !isBeyond(id));
    }

    boolean isBeyond(EntryId id) {
      return at(size() - 1).id().compareTo(id) < 0;
    }

    E get(EntryId id) {
      int index = ceiling(id);
      return index < size() && at(index).id().equals(id) ? at(index) : null;
    }

    void add(E element) {
      makeRoom();
      int index = from + ceiling(element.id());
      System.arraycopy(elements, index, elements, index + 1, to - index);
      elements[index] = element;
      to++;
    }

    E remove(EntryId id) {
      int index = ceiling(id);
      E found = index < size() ? at(index) : null;
      if (found == null || !found.id().equals(id)) {
        return null;
      }
      if (index == 0) {
        elements[from++] = null;
      } else {
        System.arraycopy(elements, from + index + 1, elements, from + index, size() - index - 1);
        elements[--to] = null;
      }
      return found;
    }

    Block<E> split() {
      int middle = from + size() / 2;
      Block<E> upper = new Block<>(BLOCK);
      upper.to = to - middle;
      System.arraycopy(elements, middle, upper.elements, 0, upper.to);
      Arrays.fill(elements, middle, to, null);
      to = middle;
      return upper;
    }

    void addAll(Block<E> following) {
      Element[] merged = new Element[BLOCK];
      System.arraycopy(elements, from, merged, 0, size());
      System.arraycopy(following.elements, following.from, merged, size(), following.size());
      to = size() + following.size();
      from = 0;
      elements = merged;
    }

    int countUpTo(EntryId id) {
      int index = ceiling(id);
      return index < size() && at(index).id().equals(id) ? index + 1 : index;
    }

    /** The index of the first element at or above that id; the size if all are below. */
    int ceiling(EntryId id) {
      int low = 0;
      int high = size() - 1;
      if (high >= 0 && at(high).id().compareTo(id) < 0) {
        return size();
      }
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (at(middle).id().compareTo(id) < 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    private void makeRoom() {
      if (to == elements.length) {
        int capacity = size() > elements.length / 2 ? elements.length * 2 : elements.length;
        Element[] wider = new Element[Math.min(capacity, BLOCK)];
        System.arraycopy(elements, from, wider, 0, size());
        to = size();
        from = 0;
        elements = wider;
      }
    }
  }
}
