package io.runtimestate.memory.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Distinct elements in order, with access by rank: a B+ tree whose nodes know how many elements are
 * below them and which is the lowest.
 *
 * <p>Finding, adding, counting and removing cost O(log n); removing or copying k neighbours costs
 * O(log n + k), mostly in whole arrays. No step ever moves more than a few nodes, so a million
 * elements never cost one long step. An element costs about 10 bytes, its slot and its share of the
 * nodes. Elements appended at the end leave full nodes behind, which suits times and counters.
 *
 * @param <E> the elements; what decides their order must not change
 */
final class RankedTree<E> {
  private static final int CAPACITY = 32;
  private static final int SPARSE = CAPACITY / 4;
  private static final int FIRST_SLOTS = 4;

  private final Comparator<? super E> order;
  private Node root = new Node(true);

  RankedTree(Comparator<? super E> order) {
    this.order = order;
  }

  int size() {
    return root.count;
  }

  /** Adds an element that is not in the tree. */
  void add(E element) {
    Node right = add(root, element);
    if (right != null) {
      Node top = new Node(false);
      top.insert(0, root);
      top.insert(1, right);
      top.count = root.count + right.count;
      top.low = root.low;
      root = top;
    }
  }

  /** The rank an element has or would have: how many are below it. */
  int rank(E element) {
    return count(other -> order.compare(other, element) < 0);
  }

  /** Whether an element equal in order is in the tree. */
  boolean contains(E element) {
    int rank = rank(element);
    return rank < size() && order.compare(get(rank), element) == 0;
  }

  /**
   * How many elements come before a point in the order.
   *
   * @param before true for the elements before that point, and for no other
   */
  int count(Predicate<? super E> before) {
    int count = 0;
    Node node = root;
    while (!node.leaf) {
      int child = childAt(node, before);
      for (int i = 0; i < child; i++) {
        count += node.child(i).count;
      }
      node = node.child(child);
    }
    return count + slotsBefore(node, before);
  }

  /** The element of a rank. */
  E get(int rank) {
    int left = rank;
    Node node = root;
    while (!node.leaf) {
      int child = 0;
      while (left >= node.child(child).count) {
        left -= node.child(child++).count;
      }
      node = node.child(child);
    }
    return element(node.slots[left]);
  }

  /** The elements with ranks from {@code from} up to {@code to}, as they are now. */
  List<E> slice(int from, int to) {
    Object[] copy = new Object[to - from];
    copy(root, from, to, copy, 0);
    return Collections.unmodifiableList(RankedTree.<List<E>>unchecked(Arrays.asList(copy)));
  }

  /** Removes the elements with ranks from {@code from} up to {@code to}. */
  void remove(int from, int to) {
    remove(root, from, to);
    while (!root.leaf && root.used == 1) {
      root = root.child(0);
    }
    if (root.used == 0) {
      root = new Node(true);
    }
  }

  // --- adding

  /** Returns the new right neighbour if the node was split. */
  private Node add(Node node, E element) {
    int slot = slotsBefore(node, other -> order.compare(other, element) < 0);
    if (node.leaf) {
      node.insert(slot, element);
    } else {
      slot = addBelow(node, Math.max(0, slot - 1), element);
    }
    node.count++;
    node.refreshLow();
    return node.used == CAPACITY ? node.split(slot) : null;
  }

  /** Returns the slot that was filled, if any. */
  private int addBelow(Node node, int child, E element) {
    Node right = add(node.child(child), element);
    if (right != null) {
      node.insert(child + 1, right);
    }
    return child + 1;
  }

  // --- finding

  private int childAt(Node node, Predicate<? super E> before) {
    return Math.max(0, slotsBefore(node, before) - 1);
  }

  /** How many slots of a node lie before a point, looking at the lowest element of each. */
  private int slotsBefore(Node node, Predicate<? super E> before) {
    int from = 0;
    int to = node.used;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (before.test(element(node.lowOf(middle)))) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private static void copy(Node node, int from, int to, Object[] target, int at) {
    if (node.leaf) {
      System.arraycopy(node.slots, from, target, at, to - from);
      return;
    }
    int offset = 0;
    int next = at;
    for (int i = 0; i < node.used && offset < to; i++) {
      Node child = node.child(i);
      int start = Math.max(from - offset, 0);
      int end = Math.min(to - offset, child.count);
      if (start < end) {
        copy(child, start, end, target, next);
        next += end - start;
      }
      offset += child.count;
    }
  }

  // --- removing

  private static void remove(Node node, int from, int to) {
    if (node.leaf) {
      node.drop(from, to);
    } else {
      int seam = removeBelow(node, from, to);
      mend(node, seam + 1);
      mend(node, seam);
    }
    node.count -= to - from;
    node.refreshLow();
  }

  /** Drops whole children and cuts the two at the ends; returns the position of the first cut. */
  private static int removeBelow(Node node, int from, int to) {
    int seam = node.used;
    int offset = 0;
    int kept = 0;
    for (int i = 0; i < node.used; i++) {
      Node child = node.child(i);
      int size = child.count;
      int start = Math.max(from - offset, 0);
      int end = Math.min(to - offset, size);
      offset += size;
      if (end - start < size) {
        if (start < end) {
          remove(child, start, end);
          seam = Math.min(seam, kept);
        }
        node.slots[kept++] = child;
      }
    }
    node.truncate(kept);
    return seam;
  }

  /** Joins a child with few slots to a neighbour, or takes some of the neighbour's. */
  private static void mend(Node node, int child) {
    if (child >= node.used || node.used == 1 || node.child(child).used >= SPARSE) {
      return;
    }
    int first = Math.max(0, child - 1);
    Node left = node.child(first);
    Node right = node.child(first + 1);
    int seam = left.used;
    if (left.used + right.used < CAPACITY) {
      left.take(right, right.used);
      node.drop(first + 1, first + 2);
    } else {
      left.level(right);
    }
    if (!left.leaf) {
      mend(left, seam);
      mend(left, seam - 1);
    }
  }

  private E element(Object slot) {
    return unchecked(slot);
  }

  @SuppressWarnings("unchecked") // leaves hold elements only
  private static <T> T unchecked(Object value) {
    return (T) value;
  }

  /** A leaf's slots are elements, an inner node's are nodes. */
  private static final class Node {
    final boolean leaf;
    Object[] slots = new Object[FIRST_SLOTS];
    int used;
    int count;
    Object low;

    Node(boolean leaf) {
      this.leaf = leaf;
    }

    Node child(int slot) {
      return (Node) slots[slot];
    }

    Object lowOf(int slot) {
      return leaf ? slots[slot] : child(slot).low;
    }

    void refreshLow() {
      low = used == 0 ? null : lowOf(0);
    }

    void insert(int slot, Object value) {
      if (used == slots.length) {
        slots = Arrays.copyOf(slots, used * 2);
      }
      System.arraycopy(slots, slot, slots, slot + 1, used - slot);
      slots[slot] = value;
      used++;
    }

    void drop(int from, int to) {
      System.arraycopy(slots, to, slots, from, used - to);
      truncate(used - (to - from));
    }

    void truncate(int length) {
      Arrays.fill(slots, length, used, null);
      used = length;
    }

    /** Moves half of the slots, or only the last one if that is new, to a node on the right. */
    Node split(int filled) {
      Node right = new Node(leaf);
      int keep = filled == used - 1 ? used - 1 : used / 2;
      right.slots = new Object[CAPACITY];
      right.used = used - keep;
      System.arraycopy(slots, keep, right.slots, 0, right.used);
      truncate(keep);
      right.recount();
      count -= right.count;
      return right;
    }

    /** Appends the first slots of the right neighbour. */
    void take(Node right, int number) {
      if (slots.length < CAPACITY) {
        slots = Arrays.copyOf(slots, CAPACITY);
      }
      System.arraycopy(right.slots, 0, slots, used, number);
      used += number;
      right.drop(0, number);
      recount();
      right.recount();
    }

    /** Moves slots between two neighbours until both have as many. */
    void level(Node right) {
      int surplus = used - (used + right.used) / 2;
      if (surplus < 0) {
        take(right, -surplus);
      } else {
        right.prepend(this, surplus);
      }
    }

    private void prepend(Node left, int number) {
      slots = Arrays.copyOf(slots, CAPACITY);
      System.arraycopy(slots, 0, slots, number, used);
      System.arraycopy(left.slots, left.used - number, slots, 0, number);
      used += number;
      left.truncate(left.used - number);
      left.recount();
      recount();
    }

    private void recount() {
      count = leaf ? used : 0;
      for (int i = 0; !leaf && i < used; i++) {
        count += child(i).count;
      }
      refreshLow();
    }
  }
}
