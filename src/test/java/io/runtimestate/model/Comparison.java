package io.runtimestate.model;

import io.runtimestate.RuntimeState;
import io.runtimestate.operation.Operation;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Runs the same history on two stores and looks for the first step they answer differently. */
final class Comparison {
  private static final AtomicInteger SPACES = new AtomicInteger();

  private final RuntimeState left;
  private final RuntimeState right;

  Comparison(RuntimeState left, RuntimeState right) {
    this.left = left;
    this.right = right;
  }

  /** A history of random steps. */
  static List<Step> history(long seed, int steps, Family family) {
    Vocabulary words = new Vocabulary(new Random(seed));
    List<Step> history = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      history.add(family.next(words));
    }
    return history;
  }

  /**
   * Runs a history where nothing has happened yet.
   *
   * @return what was answered differently; absent if nothing was
   */
  Optional<Difference> run(List<Step> history) {
    String space = "m" + SPACES.incrementAndGet() + ":";
    for (int i = 0; i < history.size(); i++) {
      Step step = history.get(i);
      Outcome mine = outcome(left, step.operation().apply(space));
      Outcome theirs = outcome(right, step.operation().apply(space));
      if (!mine.agreesWith(theirs)) {
        return Optional.of(new Difference(history.subList(0, i + 1), mine, theirs));
      }
      LockSupport.parkNanos(step.pause().toNanos());
    }
    return Optional.empty();
  }

  private static Outcome outcome(RuntimeState state, Operation<?> operation) {
    return Await.get(
        state.execute(operation).transform(ended -> Future.succeededFuture(Outcome.of(ended))));
  }

  /** A shorter history that still ends in a difference, by leaving out ever smaller pieces. */
  Difference shrink(Difference found) {
    Difference smallest = found;
    for (int piece = found.steps().size() / 2; piece > 0; piece /= 2) {
      for (int from = 0; from < smallest.steps().size(); ) {
        Optional<Difference> without = run(smallest.without(from, piece));
        smallest = without.orElse(smallest);
        from += without.isPresent() ? 0 : piece;
      }
    }
    return smallest;
  }

  /** A history whose last step was answered differently. */
  record Difference(List<Step> steps, Outcome left, Outcome right) {

    private List<Step> without(int from, int count) {
      List<Step> rest = new ArrayList<>(steps.subList(0, from));
      rest.addAll(steps.subList(Math.min(from + count, steps.size()), steps.size()));
      return rest;
    }

    @Override
    public String toString() {
      StringBuilder script = new StringBuilder();
      steps.forEach(step -> script.append("  ").append(step).append('\n'));
      return script + "  answered " + left + "\n       and " + right;
    }
  }
}
