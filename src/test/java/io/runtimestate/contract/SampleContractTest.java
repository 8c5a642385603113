package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.assertExpires;
import static io.runtimestate.contract.Ttls.assertMissing;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.ScoreRange;
import io.runtimestate.Scores;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/** Bounded time series: {@code score.recordSample}. */
class SampleContractTest {
  private static final OptionalInt NO_SIZE = OptionalInt.empty();
  private static final OptionalDouble NO_AGE = OptionalDouble.empty();

  @EachBackend
  @DisplayName("C176 old samples go, one is set, the lowest beyond the size go")
  void recordSample_all(Fixture f) {
    Scores scores = samples(f);
    assertThat(record(f, "s6", 6, OptionalDouble.of(2), OptionalInt.of(3))).isEqualTo(3);
    assertThat(names(scores, f)).containsExactly("s4", "s5", "s6");
    assertExpires(f.state(), f.key("s"), seconds(50), seconds(60));
  }

  @EachBackend
  @DisplayName("C177 an old sample survives its own call, unless the size takes it")
  void recordSample_old(Fixture f) {
    Scores scores = samples(f);
    assertThat(record(f, "new", 1.5, OptionalDouble.of(2), NO_SIZE)).isEqualTo(4);
    assertThat(names(scores, f)).containsExactly("new", "s3", "s4", "s5");
    get(f.state().keys().delete(f.key("s")));
    samples(f);
    assertThat(record(f, "new", 1.5, OptionalDouble.of(2), OptionalInt.of(3))).isEqualTo(3);
    assertThat(names(scores, f)).containsExactly("s3", "s4", "s5");
  }

  @EachBackend
  @DisplayName("C178 a sample that is recorded again is there once")
  void recordSample_again(Fixture f) {
    Scores scores = samples(f);
    assertThat(record(f, "s1", 9, OptionalDouble.of(5), NO_SIZE)).isEqualTo(1);
    assertThat(names(scores, f)).containsExactly("s1");
    assertThat(get(scores.get(f.key("s"), "s1"))).contains(9.0);
  }

  @EachBackend
  @DisplayName("C179 the expiry is set anew although the key is emptied on the way")
  void recordSample_ttl(Fixture f) {
    samples(f);
    get(f.state().keys().expire(f.key("s"), seconds(10)));
    assertThat(record(f, "new", 1, OptionalDouble.of(Double.POSITIVE_INFINITY), NO_SIZE))
        .isEqualTo(1);
    assertExpires(f.state(), f.key("s"), seconds(10), seconds(60));
  }

  @EachBackend
  @DisplayName("6.8 without bounds samples are only added, to a missing key too")
  void recordSample_unbounded(Fixture f) {
    assertThat(record(f, "a", -1, NO_AGE, NO_SIZE)).isEqualTo(1);
    assertThat(record(f, "b", -2, NO_AGE, NO_SIZE)).isEqualTo(2);
    assertThat(record(f, "a", -3, OptionalDouble.of(Double.NEGATIVE_INFINITY), NO_SIZE))
        .isEqualTo(2);
    assertThat(names(f.state().scores(), f)).containsExactly("a", "b");
    assertThat(record(f, "c", -4, NO_AGE, OptionalInt.of(1))).isEqualTo(1);
    assertThat(names(f.state().scores(), f)).containsExactly("b");
  }

  @EachBackend
  @DisplayName("C180 bad arguments and another type change nothing")
  void recordSample_invalid(Fixture f) {
    Scores scores = f.state().scores();
    String key = f.key("s");
    assertInvalid(scores.recordSample(key, "m", 1, NO_AGE, NO_SIZE, Duration.ZERO)).contains("ttl");
    assertInvalid(scores.recordSample(key, "m", 1, NO_AGE, NO_SIZE, null)).contains("ttl");
    assertInvalid(scores.recordSample(key, "m", 1, NO_AGE, OptionalInt.of(0), seconds(1)))
        .contains("maxSize");
    assertInvalid(
            scores.recordSample(key, "m", 1, OptionalDouble.of(Double.NaN), NO_SIZE, seconds(1)))
        .contains("keepAbove");
    assertInvalid(scores.recordSample(key, "m", Double.NaN, NO_AGE, NO_SIZE, seconds(1)))
        .contains("score.recordSample: score");
    assertMissing(f.state(), key);
    get(f.state().kv().set(key, "v"));
    assertFails(
        scores.recordSample(key, "m", 1, OptionalDouble.of(1), NO_SIZE, seconds(1)),
        FailureCode.WRONG_TYPE);
    assertThat(get(f.state().kv().get(key))).contains("v");
  }

  private static long record(
      Fixture f, String member, double score, OptionalDouble keepAbove, OptionalInt maxSize) {
    Scores scores = f.state().scores();
    return get(scores.recordSample(f.key("s"), member, score, keepAbove, maxSize, seconds(60)));
  }

  private static Scores samples(Fixture f) {
    Scores scores = f.state().scores();
    IntStream.rangeClosed(1, 5).forEach(i -> get(scores.set(f.key("s"), "s" + i, i)));
    return scores;
  }

  private static List<String> names(Scores scores, Fixture f) {
    return get(scores.range(f.key("s"), ScoreRange.all())).stream()
        .map(ScoredMember::member)
        .toList();
  }
}
