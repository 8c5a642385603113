package io.runtimestate.model;

import static io.runtimestate.support.Await.get;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.model.Comparison.Difference;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

/**
 * Random histories, memory against every other way to a store. The properties {@code
 * runtimestate.model.steps} and {@code runtimestate.model.seed} make it longer and other.
 */
class DifferentialTest {
  private static final int STEPS = Integer.getInteger("runtimestate.model.steps", 4_000);
  private static final long SEED = Long.getLong("runtimestate.model.seed", 20_260_101L);
  private static final int STEPS_PER_HISTORY = 400;

  @EachBackend({DoorKind.REDIS, DoorKind.BUS})
  @DisplayName("C465 C037 memory and the other agree on every result and failure code")
  void histories_agree(Fixture f) {
    RuntimeState memory = get(RuntimeState.open(f.vertx(), new RuntimeStateOptions()));
    Comparison comparison = new Comparison(memory, f.state());
    for (int done = 0; done < STEPS; done += STEPS_PER_HISTORY) {
      List<Step> history = Comparison.history(SEED + done, STEPS_PER_HISTORY, Families.ALL);
      Optional<Difference> difference = comparison.run(history);
      if (difference.isPresent()) {
        throw new AssertionError(
            "seed " + (SEED + done) + ":\n" + comparison.shrink(difference.get()));
      }
    }
    get(memory.close());
  }
}
