package io.runtimestate.memory;

import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;

/**
 * A call that takes several steps, each of them atomic and a task of its own, so that none holds
 * the loop. If a later step fails, what the earlier ones did stays.
 *
 * @param <R> the result
 */
abstract class Steps<R> {
  /** Does the next part. */
  abstract void step();

  /** Whether there is nothing left to do. */
  abstract boolean isDone();

  /** The result, once it is done. */
  abstract R result();

  /** Does the first part; the answer is the result or, if more follow, a {@link Later}. */
  final Object start(Owner owner, Operation<R> operation) {
    step();
    if (isDone()) {
      return result();
    }
    Later<R> answer = new Later<>();
    owner.later(() -> goOn(owner, operation, answer));
    return answer;
  }

  private void goOn(Owner owner, Operation<R> operation, Later<R> answer) {
    try {
      owner.inStep(this::step);
      if (isDone()) {
        answer.complete(result());
      } else {
        owner.later(() -> goOn(owner, operation, answer));
      }
    } catch (RuntimeException refused) {
      boolean earlierStepsStay = OperationCatalog.typeOf(operation).kind().isWrite();
      answer.fail(Owner.failure(operation, refused, earlierStepsStay));
    }
  }
}
