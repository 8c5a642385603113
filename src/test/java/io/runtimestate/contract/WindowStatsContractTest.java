package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Scores;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.WindowStats;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

class WindowStatsContractTest {
  private static final List<String> GRAMMAR =
      List.of(
          "boundary:7",
          "recent:9007199254740993",
          "nested:prefix:+00012",
          "zero:0",
          "none",
          "bad:",
          "bad:-1",
          "bad:1.5",
          "bad:18446744073709551616");

  @EachBackend
  @DisplayName("C182 members of the window count by the number after their last colon")
  void windowStats_grammar(Fixture f) {
    Scores scores = f.state().scores();
    get(scores.set(f.key("s"), "old:5", 99.999));
    for (int i = 0; i < GRAMMAR.size(); i++) {
      get(scores.set(f.key("s"), GRAMMAR.get(i), 100 + i));
    }
    assertThat(stats(f, f.key("s"), 100)).contains(of(9_007_199_254_741_012L, 3));
  }

  @EachBackend
  @DisplayName("6.7 every text counts as WindowStats.fromMembers counts it")
  void windowStats_likeJava(Fixture f) {
    List<String> members =
        List.of(
            "",
            ":",
            "7",
            ":+",
            ":++7",
            ":7+",
            ": 7",
            ":7 ",
            ":٧",
            ":0x7",
            ":1e3",
            "7:",
            "1:2:",
            "\n:3",
            "x\n:4",
            ":5\n",
            ":6\0",
            "\0:7",
            "é:8",
            "\ud83d\ude00:+9",
            "%d:10",
            "::11",
            ":18446744073709551615",
            "b:18446744073709551615",
            ":99999999999999999999",
            ":000000000000000000000000000018446744073709551615",
            ":10000000000",
            ":9999999999");
    for (int i = 0; i < members.size(); i++) {
      String key = f.key("s" + i);
      get(f.state().scores().set(key, members.get(i), i));
      assertThat(stats(f, key, -1)).contains(WindowStats.fromMembers(List.of(members.get(i))));
      get(f.state().scores().set(f.key("all"), members.get(i), i));
    }
    assertThat(stats(f, f.key("all"), -1)).contains(WindowStats.fromMembers(members));
  }

  @EachBackend
  @DisplayName("C183 C184 512 members are answered, 513 are not")
  void windowStats_limit(Fixture f) {
    Scores scores = f.state().scores();
    List<ScoredMember> members =
        new ArrayList<>(
            IntStream.range(0, 512).mapToObj(i -> ScoredMember.of(i + ":3", 100 + i)).toList());
    members.add(ScoredMember.of("old:1000", 99));
    get(scores.setAll(f.key("s"), members));
    assertThat(stats(f, f.key("s"), 100)).contains(of(1_536, 512));
    get(scores.set(f.key("s"), "one:3", 100));
    assertThat(stats(f, f.key("s"), 100)).isEmpty();
    assertThat(WindowStats.fromMembers(get(scores.rangeByMin(f.key("s"), 100))))
        .isEqualTo(of(1_539, 513));
    get(scores.remove(f.key("s"), "one:3"));
    assertThat(stats(f, f.key("s"), 100)).contains(of(1_536, 512));
  }

  @EachBackend
  @DisplayName("C186 35 keys are answered in order, missing ones with zeros")
  void windowStats_manyKeys(Fixture f) {
    List<String> keys = f.keys("s", 35);
    for (int i = 0; i < keys.size(); i += 10) {
      get(f.state().scores().set(keys.get(i), "m:" + (i + 1), 5));
    }
    List<Optional<WindowStats>> answers = get(f.state().scores().windowStats(keys, 5));
    assertThat(answers).hasSize(35);
    for (int i = 0; i < 35; i++) {
      assertThat(answers.get(i)).contains(i % 10 == 0 ? of(i + 1, 1) : WindowStats.EMPTY);
    }
  }

  @EachBackend
  @DisplayName("C187 no keys need no answer, but min is finite all the same")
  void windowStats_arguments(Fixture f) {
    Scores scores = f.state().scores();
    assertThat(get(scores.windowStats(List.of(), 1))).isEmpty();
    for (double min : new double[] {Double.NaN, 1 / 0.0, -1 / 0.0}) {
      assertInvalid(scores.windowStats(List.of(), min)).contains("score.windowStats: min");
      assertInvalid(scores.windowStats(List.of(f.key("s")), min)).contains("min");
    }
  }

  @EachBackend
  @DisplayName("C188 a key asked for three times is answered three times")
  void windowStats_repeated(Fixture f) {
    get(f.state().scores().set(f.key("s"), "a:4", 1));
    assertThat(get(f.state().scores().windowStats(Collections.nCopies(3, f.key("s")), 1)))
        .containsExactlyElementsOf(Collections.nCopies(3, Optional.of(of(4, 1))));
  }

  @EachBackend
  @DisplayName("C190 a reader sees whole writes while a writer goes on")
  void windowStats_whileWriting(Fixture f) {
    AtomicInteger written = new AtomicInteger();
    Future<Void> writer = write(f, 0, written);
    for (int i = 0; i < 200; i++) {
      int before = written.get();
      WindowStats seen = stats(f, f.key("s"), 0).orElseThrow();
      assertThat(seen.positiveCount()).isGreaterThanOrEqualTo(before);
      assertThat(seen.sum()).isEqualTo(BigInteger.valueOf(2 * seen.positiveCount()));
    }
    get(writer);
    assertThat(stats(f, f.key("s"), 0)).contains(of(600, 300));
  }

  private static Future<Void> write(Fixture f, int from, AtomicInteger written) {
    return from == 300
        ? Future.succeededFuture()
        : f.second()
            .scores()
            .set(f.key("s"), from + ":2", from)
            .onSuccess(done -> written.incrementAndGet())
            .compose(done -> write(f, from + 1, written));
  }

  @EachBackend
  @DisplayName("C191 an expired key has an empty window")
  void windowStats_expired(Fixture f) {
    get(f.state().scores().set(f.key("s"), "a:4", 1));
    get(f.state().keys().expire(f.key("s"), ms(1)));
    f.pass(ms(50));
    assertThat(stats(f, f.key("s"), 0)).contains(WindowStats.EMPTY);
  }

  @EachBackend
  @DisplayName("C192 a key of another type fails the call")
  void windowStats_wrongType(Fixture f) {
    get(f.state().scores().set(f.key("s"), "a:4", 1));
    get(f.state().sets().add(f.key("k"), "m"));
    assertFails(
        f.state().scores().windowStats(List.of(f.key("s"), f.key("k")), 0), FailureCode.WRONG_TYPE);
  }

  private static Optional<WindowStats> stats(Fixture f, String key, double min) {
    return get(f.state().scores().windowStats(List.of(key), min)).get(0);
  }

  private static WindowStats of(long sum, long count) {
    return new WindowStats(BigInteger.valueOf(sum), count);
  }
}
