package io.runtimestate.memory;

import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A call over a long list: pieces of 1 000 elements in list order, each one atomic step in a task
 * of its own, so that no list holds the loop. If a later piece fails, the earlier ones stay.
 *
 * @param <T> the elements
 * @param <R> the result
 */
final class Chunks<T, R> {
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

  /** Works the first piece; the answer is the result or, if more follow, a {@link Later}. */
  Object start(Owner owner, Operation<R> operation) {
    step();
    if (isDone()) {
      return result.get();
    }
    Later<R> answer = new Later<>();
    owner.later(() -> goOn(owner, operation, answer));
    return answer;
  }

  private void goOn(Owner owner, Operation<R> operation, Later<R> answer) {
    try {
      owner.inStep(this::step);
      if (isDone()) {
        answer.complete(result.get());
      } else {
        owner.later(() -> goOn(owner, operation, answer));
      }
    } catch (RuntimeException refused) {
      boolean earlierPiecesStay = OperationCatalog.typeOf(operation).kind().isWrite();
      answer.fail(Owner.failure(operation, refused, earlierPiecesStay));
    }
  }

  private void step() {
    int end = Math.min(done + size, elements.size());
    if (end > done) {
      piece.accept(elements.subList(done, end));
      done = end;
    }
  }

  private boolean isDone() {
    return done == elements.size();
  }
}
