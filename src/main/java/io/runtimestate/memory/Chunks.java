package io.runtimestate.memory;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A call over a long list: pieces of 1 000 elements in list order.
 *
 * @param <T> the elements
 * @param <R> the result
 */
final class Chunks<T, R> extends Steps<R> {
  static final int PIECE = 1_000;

  private final List<T> elements;
  private final int size;
  private final Consumer<List<T>> piece;
  private final Supplier<R> result;
  private int done;

  Chunks(List<T> elements, Consumer<List<T>> piece, Supplier<R> result) {
    this(elements, PIECE, piece, result);
  }

  /** The same in pieces of another size, for elements that are much work each. */
  Chunks(List<T> elements, int size, Consumer<List<T>> piece, Supplier<R> result) {
    this.elements = elements;
    this.size = size;
    this.piece = piece;
    this.result = result;
  }

  @Override
  void step() {
    int end = Math.min(done + size, elements.size());
    if (end > done) {
      piece.accept(elements.subList(done, end));
      done = end;
    }
  }

  @Override
  boolean isDone() {
    return done == elements.size();
  }

  @Override
  R result() {
    return result.get();
  }
}
