package io.runtimestate.memory.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Elements by name, and in an order with access by rank.
 *
 * <p>Removing k neighbours of n costs O(log n + min(k, n - k)): if most go, the few that stay are
 * put into a new table of names, and the old one is left to the collector. So a collection that was
 * left alone until nearly all of it is old is cleaned in one short step.
 *
 * @param <E> the elements; neither their names nor what decides their order change
 */
final class NamedTree<E extends Named> {
  private final ToLongFunction<String> size;
  private final RankedTree<E> inOrder;
  private Dictionary<E> byName = new Dictionary<>();
  private long bytes;

  /**
   * @param size the estimated size of an element, by its name
   */
  NamedTree(Comparator<? super E> order, ToLongFunction<String> size) {
    this.inOrder = new RankedTree<>(order);
    this.size = size;
  }

  /** The element of that name, or null. */
  E get(String name) {
    return byName.get(name);
  }

  /** Adds an element whose name is not in use. */
  void add(E element) {
    inOrder.add(element);
    addName(element);
  }

  /** Removes an element that is there. */
  void remove(E element) {
    int rank = inOrder.rank(element);
    removeRanks(rank, rank + 1);
  }

  /** Removes the elements with ranks from {@code from} up to {@code to}. */
  void removeRanks(int from, int to) {
    int removed = to - from;
    if (removed <= size() - removed) {
      inOrder.slice(from, to).forEach(this::removeName);
    } else {
      List<E> kept = new ArrayList<>(inOrder.slice(0, from));
      kept.addAll(inOrder.slice(to, size()));
      byName = new Dictionary<>();
      bytes = 0;
      kept.forEach(this::addName);
    }
    inOrder.remove(from, to);
  }

  /** How many elements come before a point in the order; see {@link RankedTree#count}. */
  int count(Predicate<? super E> before) {
    return inOrder.count(before);
  }

  /** The rank of an element. */
  int rank(E element) {
    return inOrder.rank(element);
  }

  /** The element of a rank. */
  E get(int rank) {
    return inOrder.get(rank);
  }

  /** The elements with ranks from {@code from} up to {@code to}, as they are now. */
  List<E> slice(int from, int to) {
    return inOrder.slice(from, to);
  }

  int size() {
    return inOrder.size();
  }

  /** The estimated size of all elements. */
  long bytes() {
    return bytes;
  }

  private void addName(E element) {
    byName.add(element);
    bytes += size.applyAsLong(element.key);
  }

  private void removeName(E element) {
    byName.remove(element);
    bytes -= size.applyAsLong(element.key);
  }
}
