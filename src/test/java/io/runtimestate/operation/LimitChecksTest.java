package io.runtimestate.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.UsageRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The argument rules of sets, scores, rate and usage limits, and what their messages say. */
class LimitChecksTest {
  private static final long EXACT = (1L << 53) - 1;
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  @DisplayName("C164 a bad score among good ones is named by its index")
  void setAll_badScore() {
    List<ScoredMember> members = List.of(ScoredMember.of("a", 1), ScoredMember.of("b", Double.NaN));
    assertInvalid(() -> new ScoreOperation.SetAll("k", members), "score.setAll: members[1].score");
    assertInvalid(
        () -> new ScoreOperation.SetAll("k", List.of(ScoredMember.of("a"))),
        "score.setAll: members[0].score is required");
  }

  @Test
  @DisplayName("0.1 negative zero becomes zero")
  void score_negativeZero() {
    assertThat(new ScoreOperation.Set("k", "m", -0.0).score()).isEqualTo(0.0);
    List<ScoredMember> members = List.of(ScoredMember.of("m", -0.0));
    assertThat(new ScoreOperation.SetAll("k", members).members().get(0).score().getAsDouble())
        .isEqualTo(0.0);
  }

  @Test
  @DisplayName("0.2.3 a null optional argument is absent")
  void optional_null() {
    assertThat(new ScoreOperation.Range("k", 0, 1, false, 0, null, false).limit())
        .isEqualTo(OptionalInt.empty());
    assertThat(new UsageOperation.Consume(List.of(), null, null).now())
        .isEqualTo(OptionalLong.empty());
  }

  @Test
  @DisplayName("0.2.4 lists are copied")
  void list_copied() {
    List<String> members = new ArrayList<>(List.of("a"));
    SetOperation.AddAll add = new SetOperation.AddAll("k", members);
    members.add("b");
    assertThat(add.members()).containsExactly("a");
  }

  @Test
  @DisplayName("0.7.4 nothing prints texts")
  void toString_noTexts() {
    UsageRule rule = new UsageRule("{secret}", 1, SECOND);
    RateScope scope = new RateScope("secret", "secret", 1);
    List<Object> printed =
        List.of(
            new SetOperation.Add("secret", "secret"),
            new ScoreOperation.Set("secret", "secret", 1),
            new RateOperation.Consume(List.of(scope), 0, SECOND, 1, Optional.empty()),
            new UsageOperation.Consume(List.of(rule), "secret", OptionalLong.of(1)),
            ScoredMember.of("secret", 1),
            scope,
            rule,
            new io.runtimestate.data.RateDecision.Rejected("secret", 1, Optional.empty()));
    assertThat(printed).allSatisfy(o -> assertThat(o.toString()).doesNotContain("secret"));
  }

  @Test
  @DisplayName("C206 J15 limits, costs and scopes of rate checks")
  void rate_rules() {
    assertInvalid(() -> consume(1, scope("a", 4_294_967_296L)), "scopes[0].limit must be from 0");
    assertInvalid(() -> consume(1, scope("a", -1)), "scopes[0].limit");
    assertInvalid(() -> consume(1, scope("a", 1), scope("a", 1)), "scopes[1].name");
    assertInvalid(() -> consume(1, scope(" ", 1)), "scopes[0].name must not be blank");
    assertInvalid(() -> consume(1, new RateScope("a", "", 1)), "scopes[0].key");
    assertInvalid(() -> consume(1), "scopes must have at least 1");
    assertInvalid(() -> consume(1, scopes(9)), "scopes must have at most 8");
    for (long cost : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 4_294_967_296L}) {
      assertInvalid(() -> consume(cost, scope("a", 0)), "cost");
    }
    assertInvalid(() -> consume(3, scope("a", 0), scope("b", 2)), "cost must not be above");
    assertThat(consume(4_294_967_295L, scopes(8)).scopes()).hasSize(8);
    assertInvalid(
        () -> new RateOperation.Refund(List.of(scope("a", 2)), 0, 3), "rate.refund: cost");
    assertInvalid(() -> new RateOperation.Refund(List.of(), 0, 1), "rate.refund: scopes");
  }

  @Test
  @DisplayName("7.1 bucket, ttl and window of rate checks")
  void rate_times() {
    List<RateScope> scopes = List.of(scope("a", 1));
    assertInvalid(() -> consume(scopes, -1, SECOND, null), "bucket");
    assertInvalid(() -> consume(scopes, EXACT + 1, SECOND, null), "bucket");
    assertInvalid(() -> consume(scopes, 0, Duration.ZERO, null), "ttl must be above zero");
    assertInvalid(() -> consume(scopes, 0, SECOND, Duration.ZERO), "window must be above zero");
    assertInvalid(() -> consume(scopes, EXACT, SECOND, Duration.ofMillis(1)), "window");
    assertInvalid(() -> consume(scopes, EXACT / 1_000, SECOND, SECOND), "window");
    assertThat(consume(scopes, EXACT - 1, SECOND, Duration.ofMillis(1))).isNotNull();
    assertThat(consume(scopes, EXACT / 1_000 - 1, SECOND, SECOND)).isNotNull();
    assertThat(consume(scopes, EXACT, SECOND, null)).isNotNull();
    assertThat(consume(scopes, EXACT / Durations.LONGEST.toMillis() - 1, SECOND, Durations.LONGEST))
        .isNotNull();
  }

  @Test
  @DisplayName("C227 parameters of token buckets")
  void tokenBucket_rules() {
    assertInvalid(() -> bucket(0, 1, SECOND, 1), "capacity");
    assertInvalid(() -> bucket(1_000_000_001, 1, SECOND, 1), "capacity");
    assertInvalid(() -> bucket(1, 0, SECOND, 1), "refillTokens");
    assertInvalid(() -> bucket(1, 1_000_000_001, SECOND, 1), "refillTokens");
    assertInvalid(() -> bucket(1, 1, Duration.ZERO, 1), "refillPeriod");
    assertInvalid(() -> bucket(5, 1, SECOND, 0), "tokens");
    assertInvalid(() -> bucket(5, 1, SECOND, 6), "tokens");
    assertInvalid(
        () -> bucket(1_000_000_000, 1, Duration.ofMillis(4_503_600), 1), "refillPeriod times");
    assertThat(bucket(1L << 20, 1, Duration.ofMillis(1L << 32), 1)).isNotNull();
  }

  @Test
  @DisplayName("C248 C249 C250 a broken usage rule is named by field and index")
  void usage_rules() {
    UsageRule good = new UsageRule("{t}a", 1, SECOND);
    assertInvalid(() -> usage("e", 0, good, good), "rules[1].key must not repeat");
    assertInvalid(() -> usage(" ", 0, good), "eventId must not be blank");
    assertInvalid(() -> usage(null, 0, good), "eventId is required");
    assertInvalid(() -> usage("e", 0, good, new UsageRule("{t}b", 0, SECOND)), "rules[1].limit");
    assertInvalid(
        () -> usage("e", 0, good, new UsageRule("{t}b", 1, Duration.ZERO)), "rules[1].window");
    assertInvalid(
        () -> usage("e", 0, good, new UsageRule("{t}b", 1, SECOND, Duration.ZERO)),
        "rules[1].retention");
    for (String key : List.of("b", "{}b", "b{", "}{", "a{}b{t}")) {
      assertInvalid(
          () -> usage("e", 0, new UsageRule(key, 1, SECOND)), "rules[0].key must contain");
    }
    assertInvalid(
        () -> usage("e", 0, good, new UsageRule("{u}b", 1, SECOND)), "rules[1].key must share");
    assertInvalid(() -> usage("e", 0, new UsageRule(" ", 1, SECOND)), "rules[0].key");
    assertInvalid(() -> usage("e", 0, rules(65)), "rules must have at most 64");
    assertThat(usage("e", 0, rules(64)).rules()).hasSize(64);
  }

  @Test
  @DisplayName("C251 times and limits of usage rules end at 2^53-1")
  void usage_extremes() {
    assertInvalid(() -> usage("e", -1, new UsageRule("{t}", 1, SECOND)), "now");
    assertInvalid(() -> usage("e", EXACT + 1, new UsageRule("{t}", 1, SECOND)), "must be at most");
    assertInvalid(() -> usage("e", 0, new UsageRule("{t}", EXACT + 1, SECOND)), "rules[0].limit");
    assertInvalid(
        () -> usage("e", 0, new UsageRule("{t}", 1, Durations.LONGEST.plusMillis(1))), "window");
    assertInvalid(
        () -> usage("e", EXACT - 999, new UsageRule("{t}", 1, SECOND)), "rules[0].window plus now");
    assertInvalid(
        () -> usage("e", EXACT - 999, new UsageRule("{t}", 1, Duration.ofMillis(1), SECOND)),
        "rules[0].retention plus now");
    assertThat(usage("e", EXACT - 1_000, new UsageRule("{t}", EXACT, SECOND, SECOND))).isNotNull();
  }

  @Test
  @DisplayName("C247 C252 without rules or keys nothing else is looked at")
  void usage_empty() {
    assertThat(new UsageOperation.Consume(List.of(), " ", OptionalLong.of(-5))).isNotNull();
    assertThat(new UsageOperation.Peek(List.of(), null, OptionalLong.empty())).isNotNull();
    assertThat(new UsageOperation.Release(List.of(), "")).isNotNull();
    assertInvalid(() -> new UsageOperation.Release(List.of("{t}"), ""), "usage.release: eventId");
    assertInvalid(
        () -> new UsageOperation.Release(List.of("{t}", "{t}"), "e"), "keys[1] must not repeat");
    assertInvalid(
        () -> new UsageOperation.Release(List.of("{t}", "{u}"), "e"), "keys[1] must share");
    assertInvalid(
        () -> new UsageOperation.Release(Collections.singletonList(null), "e"), "keys[0]");
  }

  private static RateScope scope(String name, long limit) {
    return new RateScope(name, "k", limit);
  }

  private static RateScope[] scopes(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> scope("s" + i, 4_294_967_295L))
        .toArray(RateScope[]::new);
  }

  private static RateOperation.Consume consume(long cost, RateScope... scopes) {
    return new RateOperation.Consume(List.of(scopes), 0, SECOND, cost, Optional.empty());
  }

  private static RateOperation.Consume consume(
      List<RateScope> scopes, long bucket, Duration ttl, Duration window) {
    return new RateOperation.Consume(scopes, bucket, ttl, 1, Optional.ofNullable(window));
  }

  private static RateOperation.TokenBucket bucket(
      long capacity, long refill, Duration period, long tokens) {
    return new RateOperation.TokenBucket("k", capacity, refill, period, tokens);
  }

  private static UsageRule[] rules(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new UsageRule("{t}" + i, 1, SECOND))
        .toArray(UsageRule[]::new);
  }

  private static UsageOperation.Consume usage(String event, long now, UsageRule... rules) {
    return new UsageOperation.Consume(List.of(rules), event, OptionalLong.of(now));
  }

  private static void assertInvalid(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RuntimeStateException.class,
            failure -> assertThat(failure.code()).isEqualTo(FailureCode.INVALID_INPUT))
        .hasMessageContaining(message);
  }
}
