package io.runtimestate.fault.run;

import io.runtimestate.support.Await;
import io.vertx.core.Future;

/** Counts in a value and in a score. */
final class CounterLoad extends Load {
  private final Account values = new Account();
  private final Account scores = new Account();

  CounterLoad(Place place) {
    super(place);
  }

  @Override
  Future<?> turn() {
    return burst(4, this::both);
  }

  private Future<?> both() {
    return Future.join(
        values.book(call("kv.increment", () -> state.kv().increment("counter", 1))),
        scores.book(call("score.increment", () -> state.scores().increment("scores", "m", 1))),
        call("score.get", () -> state.scores().get("scores", "m")));
  }

  @Override
  void verify() {
    long value = Await.get(state.kv().get("counter")).map(Long::parseLong).orElse(0L);
    requireBetween(value, values.least(), values.most(), "the counter");
    double score = Await.get(state.scores().get("scores", "m")).orElse(0.0);
    requireBetween(score, scores.least(), scores.most(), "the score");
  }
}
