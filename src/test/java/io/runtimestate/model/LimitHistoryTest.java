package io.runtimestate.model;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.UsageRule;
import io.runtimestate.model.Comparison.Difference;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.RateOperation.Consume;
import io.runtimestate.operation.RateOperation.Count;
import io.runtimestate.operation.RateOperation.Refund;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;

/** Random histories of rate and usage limits; see {@link DifferentialTest} for its properties. */
class LimitHistoryTest {
  private static final int STEPS = Integer.getInteger("runtimestate.model.steps", 4_000);
  private static final long SEED = Long.getLong("runtimestate.model.seed", 20_260_101L);
  private static final int STEPS_PER_HISTORY = 500;
  private static final int MOST_IN_A_TURN = 200;
  private static final int CROWDED_ROUNDS = 4;

  @EachBackend
  @DisplayName("C469 random charges and refunds are those of a plain model, and never partial")
  void rates_likeModel(Fixture f) {
    Vocabulary words = new Vocabulary(new Random(SEED));
    RateModel model = new RateModel();
    List<Family> steps = List.of(Rates::consume, Rates::consume, Rates::refund, Rates::count);
    List<String> script = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      Step step = words.any(steps).next(words);
      script.add(step.toString());
      Operation<?> operation = step.operation().apply(f.key(""));
      assertThat((Object) get(f.state().execute(operation)))
          .as(() -> String.join("\n", script))
          .isEqualTo(expected(model, operation));
    }
  }

  @EachBackend
  @DisplayName("C469 charges that are started in one turn are decided one after the other")
  void ratesOfOneTurn_likeModel(Fixture f) {
    Vocabulary words = new Vocabulary(new Random(SEED));
    RateModel model = new RateModel();
    for (int done = 0; done < STEPS; ) {
      List<Step> turn = new ArrayList<>();
      for (int i = words.random().nextInt(MOST_IN_A_TURN); i >= 0; i--) {
        turn.add(Rates.consume(words));
      }
      List<Operation<?>> operations =
          turn.stream().<Operation<?>>map(step -> step.operation().apply(f.key(""))).toList();
      List<Object> answers = inOneTurn(f, operations);
      for (int i = 0; i < turn.size(); i++) {
        int last = i;
        assertThat(answers.get(i))
            .as(() -> turn.subList(0, last + 1).toString())
            .isEqualTo(expected(model, operations.get(i)));
      }
      Step refund = Rates.refund(words);
      Operation<?> operation = refund.operation().apply(f.key(""));
      assertThat((Object) get(f.state().execute(operation))).isEqualTo(expected(model, operation));
      done += turn.size();
    }
  }

  private static List<Object> inOneTurn(Fixture f, List<Operation<?>> operations) {
    Promise<List<Object>> answers = Promise.promise();
    f.vertx()
        .getOrCreateContext()
        .runOnContext(
            turn -> {
              List<Future<?>> calls = new ArrayList<>();
              operations.forEach(operation -> calls.add(f.state().execute(operation)));
              Future.all(calls).map(all -> all.<Object>list()).onComplete(answers);
            });
    return get(answers.future());
  }

  private static Object expected(RateModel model, Operation<?> operation) {
    if (operation instanceof Consume consume) {
      return model.consume(consume);
    }
    return operation instanceof Refund refund
        ? model.refund(refund)
        : model.count((Count) operation);
  }

  @EachBackend({DoorKind.REDIS, DoorKind.BUS})
  @DisplayName("C469 memory and the other agree on rate limits and token buckets")
  void rates_agree(Fixture f) {
    assertAgree(f, words -> words.any(Rates.ALL).next(words), STEPS, STEPS_PER_HISTORY);
  }

  @EachBackend({DoorKind.REDIS, DoorKind.BUS})
  @DisplayName("C259 memory and the other agree on usage limits with regressing clocks")
  void usage_agrees(Fixture f) {
    assertAgree(f, Usages.FULL, STEPS, STEPS_PER_HISTORY);
  }

  @EachBackend({DoorKind.REDIS, DoorKind.BUS})
  @DisplayName("C259 they agree too where thousands of events die at once and time goes back")
  void usage_agreesCrowded(Fixture f) {
    RuntimeState memory = get(RuntimeState.open(f.vertx(), new RuntimeStateOptions()));
    Vocabulary words = new Vocabulary(new Random(SEED));
    for (int round = 0; round < CROWDED_ROUNDS; round++) {
      List<UsageRule> rules = Usages.CROWDED.wide(f.key("r" + round));
      fill(memory, rules);
      fill(f.state(), rules);
      for (int i = 0; i < STEPS / 10 / CROWDED_ROUNDS; i++) {
        Step step = Usages.CROWDED.next(words);
        Operation<?> operation = step.operation().apply(f.key("r" + round));
        assertThat((Object) get(f.state().execute(operation)))
            .as(() -> step.toString())
            .isEqualTo(get(memory.execute(operation)));
      }
    }
    get(memory.close());
  }

  /** Every event of the vocabulary, in no order of time. */
  private static void fill(RuntimeState state, List<UsageRule> rules) {
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < Usages.CROWDED.events(); i++) {
      long now = i * 7_919L % Usages.CROWDED.span();
      calls.add(state.usage().consume(rules, "e" + i, now));
    }
    get(Future.all(calls));
  }

  private static void assertAgree(Fixture f, Family family, int steps, int stepsPerHistory) {
    RuntimeState memory = get(RuntimeState.open(f.vertx(), new RuntimeStateOptions()));
    Comparison comparison = new Comparison(memory, f.state());
    for (int done = 0; done < steps; done += stepsPerHistory) {
      List<Step> history = Comparison.history(SEED + done, stepsPerHistory, family);
      Optional<Difference> difference = comparison.run(history);
      if (difference.isPresent()) {
        throw new AssertionError(
            "seed " + (SEED + done) + ":\n" + comparison.shrink(difference.get()));
      }
    }
    get(memory.close());
  }
}
