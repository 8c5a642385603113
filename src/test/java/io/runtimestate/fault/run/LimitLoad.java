package io.runtimestate.fault.run;

import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/** Wants more than rate and usage limits give. */
final class LimitLoad extends Load {
  private static final int LIMIT = 1_000;
  private static final int CAPACITY = 50;
  private static final Duration LONG = Duration.ofHours(1);
  private static final List<RateScope> SCOPES =
      List.of(new RateScope("a", "{r}a", LIMIT), new RateScope("b", "{r}b", 2 * LIMIT));
  private static final List<UsageRule> RULES =
      List.of(new UsageRule("{u}a", LIMIT, LONG), new UsageRule("{u}b", 2 * LIMIT, LONG));

  private final long startedAt = System.nanoTime();
  private final Account rate = new Account();
  private final Account usage = new Account();
  private final Account tokens = new Account();
  private int events;

  LimitLoad(Place place) {
    super(place);
  }

  @Override
  Future<?> turn() {
    return burst(2, this::each);
  }

  private Future<?> each() {
    return Future.join(
        call("rate.consume", () -> state.rates().consume(SCOPES, 1, LONG))
            .onSuccess(decision -> book(rate, decision.isAllowed()))
            .onFailure(rate::bookPossible),
        call(
                "rate.tokenBucket",
                () -> state.rates().tokenBucket("t", CAPACITY, CAPACITY, Duration.ofSeconds(1)))
            .onSuccess(decision -> book(tokens, decision.isAllowed()))
            .onFailure(tokens::bookPossible),
        event("e" + events++));
  }

  private static void book(Account account, boolean allowed) {
    if (allowed) {
      account.bookCertain();
    }
  }

  /** An event that counts already costs nothing, so it is checked twice. */
  private Future<?> event(String id) {
    return check(id)
        .onSuccess(decision -> book(usage, decision.isAllowed()))
        .onFailure(usage::bookPossible)
        .compose(first -> check(id).onSuccess(second -> compare(first, second)));
  }

  private Future<UsageDecision> check(String id) {
    return call("usage.consume", () -> state.usage().consume(RULES, id));
  }

  private void compare(UsageDecision first, UsageDecision second) {
    require(
        !first.isAllowed() || second.isAllowed(), "an event that counted was refused afterwards");
  }

  @Override
  void verify() {
    for (RateScope scope : SCOPES) {
      long count = Await.get(state.rates().count(scope.key(), 1));
      requireBetween(count, rate.least(), Math.min(LIMIT, rate.most()), "the rate");
    }
    long used = Await.get(state.usage().peek(RULES, "next")).get(0).used();
    requireBetween(used, usage.least(), Math.min(LIMIT, usage.most()), "the usage");
    double seconds = (System.nanoTime() - startedAt) / 1e9;
    requireBetween(tokens.least(), 0, CAPACITY * (1 + seconds), "tokens given");
    RateDecision last = Await.get(state.rates().consume(SCOPES, 1, LONG));
    require(!last.isAllowed() || rate.least() < LIMIT, "a full bucket admitted");
  }
}
