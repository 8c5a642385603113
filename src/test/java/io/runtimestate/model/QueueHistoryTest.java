package io.runtimestate.model;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;

/**
 * Random histories of two streams, memory against every other way to a store. Ids are made by the
 * stores, so the steps name entries by their position and the answers are compared by it.
 */
class QueueHistoryTest {
  private static final int STEPS = Integer.getInteger("runtimestate.model.steps", 4_000);
  private static final long SEED = Long.getLong("runtimestate.model.seed", 20_260_101L);
  private static final int STEPS_PER_HISTORY = 250;

  @EachBackend({DoorKind.REDIS, DoorKind.BUS})
  @DisplayName("C471 memory and the other agree on every answer, ids by position")
  void histories_agree(Fixture f) {
    RuntimeState memory = get(RuntimeState.open(f.vertx(), new RuntimeStateOptions()));
    for (int done = 0; done < STEPS; done += STEPS_PER_HISTORY) {
      String space = f.key("h" + done + ":");
      compare(SEED + done, new QueueStore(memory, space), new QueueStore(f.state(), space));
    }
    get(memory.close());
  }

  private static void compare(long seed, QueueStore memory, QueueStore other) {
    Random random = new Random(seed);
    List<String> history = new ArrayList<>();
    for (int i = 0; i < STEPS_PER_HISTORY; i++) {
      Function<QueueStore, String> step = QueueSteps.next(random);
      String mine = step.apply(memory);
      String theirs = step.apply(other);
      history.add(memory.lastCall() + " -> " + mine);
      assertThat(theirs).as("seed %s%n%s", seed, String.join("\n", history)).isEqualTo(mine);
    }
    memory.clear();
    other.clear();
  }
}
