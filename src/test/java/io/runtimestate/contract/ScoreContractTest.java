package io.runtimestate.contract;

import static io.runtimestate.ScoreRange.all;
import static io.runtimestate.ScoreRange.between;
import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.assertExpires;
import static io.runtimestate.contract.Ttls.assertMissing;
import static io.runtimestate.contract.Ttls.assertNoExpiry;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.ScoreRange;
import io.runtimestate.Scores;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.support.AlsoOnRedis;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

@AlsoOnRedis({"resp2", "limited"})
class ScoreContractTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  @EachBackend
  @DisplayName("C147 C148 ranges by minimum and removals by rank")
  void rangeByMin_removeByRank(Fixture f) {
    Scores scores = abcd(f);
    assertThat(get(scores.rangeByMin(f.key("s"), 0))).containsExactly("a", "b", "c", "d");
    assertThat(get(scores.removeByRank(f.key("s"), 0, -3))).isEqualTo(2);
    assertThat(get(scores.getMany(f.key("s"), List.of("a", "b", "c"))))
        .containsExactly(Optional.empty(), Optional.empty(), Optional.of(3.0));
    assertThat(get(scores.get(f.key("s"), "d"))).contains(4.0);
    assertThat(get(scores.get(f.key("s"), "x"))).isEmpty();
  }

  @EachBackend
  @DisplayName("C150 I07 infinite bounds include everything or nothing")
  void rangeByMin_infinite(Fixture f) {
    Scores scores = abcd(f);
    assertThat(get(scores.rangeByMin(f.key("s"), -INFINITY))).hasSize(4);
    assertThat(get(scores.rangeByMin(f.key("s"), INFINITY))).isEmpty();
    assertThat(get(scores.range(f.key("s"), all().to(2)))).hasSize(2);
    assertThat(get(scores.range(f.key("s"), all().to(-INFINITY)))).isEmpty();
    assertThat(get(scores.removeByScore(f.key("s"), -INFINITY))).isZero();
    assertThat(get(scores.size(f.key("s")))).isEqualTo(4);
  }

  @EachBackend
  @DisplayName("C151 I05 equal scores are in byte order, in ranges, pops and pages")
  void ties_byteOrder(Fixture f) {
    Scores scores = f.state().scores();
    List<String> order =
        List.of(
            "", "10", "9", "Z", "a", "b", "\u007f", "\u0080", "ä", "é", "\uffff", "\ud83d\ude00");
    List<String> shuffled = new ArrayList<>(order);
    Collections.shuffle(shuffled, new Random(3));
    shuffled.forEach(member -> get(scores.set(f.key("s"), member, 1)));
    assertThat(names(scores, f.key("s"), all())).isEqualTo(order);
    for (int i = 0; i < order.size(); i++) {
      assertThat(names(scores, f.key("s"), all().skip(i).limit(1))).containsExactly(order.get(i));
    }
    assertThat(get(scores.popLowest(f.key("s"), 12)).stream().map(ScoredMember::member))
        .containsExactlyElementsOf(order);
  }

  @EachBackend
  @DisplayName("C152 I01 a score is finite")
  void set_notFinite(Fixture f) {
    for (double score : new double[] {Double.NaN, INFINITY, -INFINITY}) {
      assertInvalid(f.state().scores().set(f.key("s"), "m", score)).contains("score.set: score");
    }
    assertMissing(f.state(), f.key("s"));
  }

  @EachBackend
  @DisplayName("C153 a bound is a number")
  void bounds_nan(Fixture f) {
    Scores scores = abcd(f);
    assertInvalid(scores.range(f.key("s"), all().from(Double.NaN))).contains("min");
    assertInvalid(scores.range(f.key("s"), all().to(Double.NaN))).contains("max");
    assertInvalid(scores.count(f.key("s"), Double.NaN, 1)).contains("min");
    assertInvalid(scores.count(f.key("s"), 1, Double.NaN)).contains("max");
    assertInvalid(scores.removeByScore(f.key("s"), Double.NaN)).contains("max");
    assertThat(get(scores.size(f.key("s")))).isEqualTo(4);
  }

  @EachBackend
  @DisplayName("C154 C155 removeByScore is inclusive, and infinity clears")
  void removeByScore(Fixture f) {
    Scores scores = abcd(f);
    assertThat(get(scores.removeByScore(f.key("s"), 2))).isEqualTo(2);
    assertThat(names(scores, f.key("s"), all())).containsExactly("c", "d");
    assertThat(get(scores.removeByScore(f.key("s"), INFINITY))).isEqualTo(2);
    assertMissing(f.state(), f.key("s"));
  }

  @EachBackend
  @DisplayName("C156 ranks beyond the ends are cut off")
  void removeByRank_ends(Fixture f) {
    assertThat(removedByRank(f, 5, 9)).isEmpty();
    assertThat(removedByRank(f, -100, 0)).containsExactly("a");
    assertThat(removedByRank(f, 0, -100)).isEmpty();
    assertThat(removedByRank(f, 2, 1)).isEmpty();
    assertThat(removedByRank(f, -1, -1)).containsExactly("d");
    assertThat(removedByRank(f, 1, 2)).containsExactly("b", "c");
    assertThat(removedByRank(f, 0, Long.MAX_VALUE)).containsExactly("a", "b", "c", "d");
    assertThat(removedByRank(f, Long.MIN_VALUE, Long.MAX_VALUE)).hasSize(4);
    assertThat(removedByRank(f, Long.MAX_VALUE, Long.MIN_VALUE)).isEmpty();
  }

  private static List<String> removedByRank(Fixture f, long start, long stop) {
    Scores scores = abcd(f);
    List<String> removed = new ArrayList<>(names(scores, f.key("s"), all()));
    long count = get(scores.removeByRank(f.key("s"), start, stop));
    removed.removeAll(names(scores, f.key("s"), all()));
    assertThat(removed).hasSize((int) count);
    return removed;
  }

  @EachBackend
  @DisplayName("C157 a rank from the end keeps the highest")
  void removeByRank_keepsHighest(Fixture f) {
    Scores scores = samples(f, 15);
    assertThat(get(scores.removeByRank(f.key("s"), 0, -11))).isEqualTo(5);
    assertThat(names(scores, f.key("s"), all().limit(1))).containsExactly("s6");
    assertThat(get(scores.removeByRank(f.key("s"), 0, -11))).isZero();
  }

  @EachBackend
  @DisplayName("C158 a missing key acts as an empty collection and is not created")
  void missing(Fixture f) {
    Scores scores = f.state().scores();
    String key = f.key("s");
    assertThat(get(scores.range(key, all()))).isEmpty();
    assertThat(get(scores.getMany(key, List.of("a", "b"))))
        .containsExactly(Optional.empty(), Optional.empty());
    assertThat(get(scores.size(key))).isZero();
    assertThat(get(scores.count(key, -INFINITY, INFINITY))).isZero();
    assertThat(get(scores.remove(key, "a"))).isFalse();
    assertThat(get(scores.removeByScore(key, INFINITY))).isZero();
    assertThat(get(scores.removeByRank(key, 0, -1))).isZero();
    assertThat(get(scores.popLowest(key, 5))).isEmpty();
    assertThat(get(scores.popLowest(key))).isEmpty();
    assertMissing(f.state(), key);
  }

  @EachBackend
  @DisplayName("C159 the last member takes the expiry along, however it goes")
  void last_takesTtl(Fixture f) {
    Scores scores = f.state().scores();
    List<Future<?>> removals = new ArrayList<>();
    for (int way = 0; way < 4; way++) {
      String key = f.key("s" + way);
      get(scores.set(key, "m", 1));
      get(f.state().keys().expire(key, seconds(100)));
      removals.add(
          switch (way) {
            case 0 -> scores.remove(key, "m");
            case 1 -> scores.removeByScore(key, 1);
            case 2 -> scores.removeByRank(key, 0, 0);
            default -> scores.popLowest(key);
          });
      get(removals.get(way));
      assertMissing(f.state(), key);
      get(scores.set(key, "m", 1));
      assertNoExpiry(f.state(), key);
    }
  }

  @EachBackend
  @DisplayName("C160 scores round-trip bit for bit")
  void getMany_exact(Fixture f) {
    Scores scores = f.state().scores();
    double[] values = {
      0.1,
      1e300,
      99.999,
      1796002872560.0,
      -5.5,
      Double.MIN_VALUE,
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      4503599627370497.5,
      9007199254740993.0,
      1 / 3.0,
      0.0,
      1e-310
    };
    List<String> members = IntStream.range(0, values.length).mapToObj(i -> "m" + i).toList();
    for (int i = 0; i < values.length; i++) {
      get(scores.set(f.key("s"), members.get(i), values[i]));
    }
    assertThat(get(scores.getMany(f.key("s"), members)).stream().map(Optional::get))
        .containsExactlyElementsOf(DoubleStream.of(values).boxed().toList());
    assertThat(
            get(scores.range(f.key("s"), all().withScores())).stream()
                .map(member -> member.score().getAsDouble()))
        .containsExactlyElementsOf(DoubleStream.of(values).sorted().boxed().toList());
  }

  @EachBackend
  @DisplayName("6 negative zero becomes zero, also as a sum")
  void negativeZero(Fixture f) {
    Scores scores = f.state().scores();
    get(scores.set(f.key("s"), "m", -0.0));
    assertThat(get(scores.get(f.key("s"), "m"))).contains(0.0);
    assertThat(get(scores.increment(f.key("s"), "m", -0.0))).isEqualTo(0.0);
    assertThat(get(scores.increment(f.key("s"), "new", -0.0))).isEqualTo(0.0);
    get(scores.set(f.key("s"), "n", 1));
    assertThat(get(scores.increment(f.key("s"), "n", -1))).isEqualTo(0.0);
    assertThat(get(scores.count(f.key("s"), -0.0, -0.0))).isEqualTo(3);
    assertThat(get(scores.popLowest(f.key("s"))).orElseThrow().score()).hasValue(0.0);
  }

  @EachBackend
  @DisplayName("C162 a set is not a score")
  void wrongType(Fixture f) {
    Scores scores = f.state().scores();
    String key = f.key("k");
    get(f.state().sets().add(key, "m"));
    List<Future<?>> calls =
        List.of(
            scores.set(key, "m", 1),
            scores.setAll(key, List.of(ScoredMember.of("m", 1))),
            scores.increment(key, "m", 1),
            scores.getMany(key, List.of("m")),
            scores.range(key, all()),
            scores.count(key, 0, 1),
            scores.size(key),
            scores.remove(key, "m"),
            scores.removeByScore(key, 1),
            scores.removeByRank(key, 0, 1),
            scores.popLowest(key),
            scores.windowStats(List.of(key), 0),
            scores.recordSample(key, "m", 1, null, null, seconds(9)));
    calls.forEach(call -> assertFails(call, FailureCode.WRONG_TYPE));
    assertThat(get(scores.setAll(key, List.of()))).isZero();
    assertThat(get(scores.getMany(key, List.of()))).isEmpty();
    assertThat(get(f.state().sets().members(key))).containsExactly("m");
    assertNoExpiry(f.state(), key);
  }

  @EachBackend
  @DisplayName("C163 setAll counts distinct new members and ends with the later score")
  void setAll_counts(Fixture f) {
    Scores scores = f.state().scores();
    List<ScoredMember> members =
        List.of(ScoredMember.of("a", 1), ScoredMember.of("b", 2), ScoredMember.of("a", 3));
    assertThat(get(scores.setAll(f.key("s"), members))).isEqualTo(2);
    assertThat(get(scores.getMany(f.key("s"), List.of("a", "b"))))
        .containsExactly(Optional.of(3.0), Optional.of(2.0));
    List<ScoredMember> more = List.of(ScoredMember.of("b", 9), ScoredMember.of("c", 1));
    assertThat(get(scores.setAll(f.key("s"), more))).isEqualTo(1);
    assertThat(names(scores, f.key("s"), all())).containsExactly("c", "a", "b");
  }

  @EachBackend
  @DisplayName("C164 setAll with one bad score stores nothing")
  void setAll_bad(Fixture f) {
    List<ScoredMember> members = List.of(ScoredMember.of("a", 1), ScoredMember.of("b", Double.NaN));
    assertInvalid(f.state().scores().setAll(f.key("s"), members)).contains("members[1].score");
    assertMissing(f.state(), f.key("s"));
  }

  @EachBackend
  @DisplayName("0.5 setAll and getMany of 2 500 members")
  void setAll_chunks(Fixture f) {
    Scores scores = f.state().scores();
    List<String> members = IntStream.range(0, 2_500).mapToObj(i -> "m" + i % 2_000).toList();
    List<ScoredMember> given =
        IntStream.range(0, 2_500).mapToObj(i -> ScoredMember.of(members.get(i), i)).toList();
    assertThat(get(scores.setAll(f.key("s"), given))).isEqualTo(2_000);
    assertThat(get(scores.getMany(f.key("s"), members)))
        .hasSize(2_500)
        .startsWith(Optional.of(2_000.0))
        .endsWith(Optional.of(2_499.0));
    assertThat(get(scores.range(f.key("s"), all()))).hasSize(2_000);
    assertThat(names(scores, f.key("s"), all().reversed().skip(1_500).limit(2)))
        .containsExactly("m999", "m998");
    assertThat(names(scores, f.key("s"), between(600, 2_400).skip(1_200).limit(2)))
        .containsExactly("m1800", "m1801");
    assertThat(names(scores, f.key("s"), between(600, 2_400).reversed().skip(1_200).limit(2)))
        .containsExactly("m1200", "m1199");
    assertThat(names(scores, f.key("s"), all().skip(1_999))).containsExactly("m499");
    assertThat(names(scores, f.key("s"), all().skip(2_000).limit(5))).isEmpty();
    assertThat(names(scores, f.key("s"), all().skip(Long.MAX_VALUE))).isEmpty();
    assertThat(names(scores, f.key("s"), between(5, 4).skip(Long.MAX_VALUE))).isEmpty();
  }

  @EachBackend
  @DisplayName("C165 increment adds and keeps the expiry")
  void increment(Fixture f) {
    Scores scores = f.state().scores();
    assertThat(get(scores.increment(f.key("s"), "m", 2.5))).isEqualTo(2.5);
    assertNoExpiry(f.state(), f.key("s"));
    get(f.state().keys().expire(f.key("s"), seconds(100)));
    assertThat(get(scores.increment(f.key("s"), "m", -4))).isEqualTo(-1.5);
    assertThat(get(scores.increment(f.key("s"), "n", 0.1))).isEqualTo(0.1);
    assertThat(get(scores.increment(f.key("s"), "n", 0.2))).isEqualTo(0.1 + 0.2);
    assertExpires(f.state(), f.key("s"), seconds(90), seconds(100));
  }

  @EachBackend
  @DisplayName("C166 I01 a sum that is not finite is refused and changes nothing")
  void increment_overflow(Fixture f) {
    Scores scores = f.state().scores();
    get(scores.set(f.key("s"), "m", 1.7e308));
    get(scores.set(f.key("s"), "n", -1.7e308));
    assertInvalid(scores.increment(f.key("s"), "m", 1.7e308)).startsWith("score.increment: ");
    assertInvalid(scores.increment(f.key("s"), "n", -1.7e308));
    for (double delta : new double[] {Double.NaN, INFINITY, -INFINITY}) {
      assertInvalid(scores.increment(f.key("s"), "m", delta)).contains("delta");
    }
    assertThat(get(scores.getMany(f.key("s"), List.of("m", "n"))))
        .containsExactly(Optional.of(1.7e308), Optional.of(-1.7e308));
  }

  @EachBackend
  @DisplayName("C167 100 concurrent increments answer 1 to 100")
  void increment_concurrent(Fixture f) {
    List<Future<Double>> increments =
        IntStream.range(0, 100)
            .mapToObj(i -> (i % 2 == 0 ? f.state() : f.second()))
            .map(state -> state.scores().increment(f.key("s"), "m", 1))
            .toList();
    assertThat(increments.stream().map(increment -> get(increment)))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 100).mapToObj(i -> (double) i).toList());
    assertThat(get(f.state().scores().get(f.key("s"), "m"))).contains(100.0);
  }

  @EachBackend
  @DisplayName("C168 I03 bounds keep their meaning in mirror order")
  void range_reverse(Fixture f) {
    Scores scores = f.state().scores();
    get(scores.setAll(f.key("s"), members("a", 1, "b", 2, "c", 2, "d", 3)));
    assertThat(names(scores, f.key("s"), between(2, 3))).containsExactly("b", "c", "d");
    assertThat(names(scores, f.key("s"), between(2, 3).reversed())).containsExactly("d", "c", "b");
    assertThat(names(scores, f.key("s"), between(3, 2))).isEmpty();
    assertThat(names(scores, f.key("s"), between(3, 2).reversed())).isEmpty();
    assertThat(get(scores.count(f.key("s"), 3, 2))).isZero();
  }

  @EachBackend
  @DisplayName("C169 offset and limit count in the direction asked for")
  void range_pages(Fixture f) {
    Scores scores = f.state().scores();
    IntStream.range(0, 10).forEach(i -> get(scores.set(f.key("s"), "m" + i, i)));
    ScoreRange page = all().from(2).skip(1).limit(3).withScores();
    assertThat(values(scores, f.key("s"), page)).containsExactly(3.0, 4.0, 5.0);
    assertThat(values(scores, f.key("s"), page.reversed())).containsExactly(8.0, 7.0, 6.0);
    assertThat(values(scores, f.key("s"), page.skip(100))).isEmpty();
    assertThat(values(scores, f.key("s"), page.limit(Integer.MAX_VALUE))).hasSize(7);
    assertThat(values(scores, f.key("s"), page.skip(6).reversed())).containsExactly(3.0, 2.0);
  }

  @EachBackend
  @DisplayName("C170 offset is not negative and limit at least 1")
  void range_invalid(Fixture f) {
    Scores scores = f.state().scores();
    assertInvalid(scores.range(f.key("s"), all().limit(0))).contains("score.range: limit");
    assertInvalid(scores.range(f.key("s"), all().limit(-1))).contains("limit");
    assertInvalid(scores.range(f.key("s"), all().skip(-1))).contains("offset");
  }

  @EachBackend
  @DisplayName("C171 scores are answered only when asked for")
  void range_withScores(Fixture f) {
    Scores scores = abcd(f);
    assertThat(get(scores.range(f.key("s"), all().withScores())))
        .containsExactlyElementsOf(members("a", 1, "b", 2, "c", 3, "d", 4));
    assertThat(get(scores.range(f.key("s"), all())))
        .containsExactly(
            ScoredMember.of("a"), ScoredMember.of("b"), ScoredMember.of("c"), ScoredMember.of("d"));
    assertThat(get(scores.range(f.key("s"), null))).hasSize(4);
  }

  @EachBackend
  @DisplayName("C172 I03 for random bounds, reverse mirrors forward and count is the size")
  void range_random(Fixture f) {
    Scores scores = f.state().scores();
    Random random = new Random(11);
    List<ScoredMember> members =
        IntStream.range(0, 300)
            .mapToObj(i -> ScoredMember.of("m" + i, random.nextInt(60) - 30 + i % 2 * 0.5))
            .toList();
    get(scores.setAll(f.key("s"), members));
    for (int i = 0; i < 200; i++) {
      double min = bound(random);
      double max = bound(random);
      List<String> forward = new ArrayList<>(names(scores, f.key("s"), between(min, max)));
      List<String> mirror = names(scores, f.key("s"), between(min, max).reversed());
      assertThat(get(scores.count(f.key("s"), min, max))).isEqualTo(forward.size());
      Collections.reverse(forward);
      assertThat(mirror).isEqualTo(forward);
    }
  }

  private static double bound(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> INFINITY;
      case 1 -> -INFINITY;
      default -> random.nextInt(70) - 35;
    };
  }

  @EachBackend
  @DisplayName("C174 popLowest takes 1 to 10 000")
  void popLowest_invalid(Fixture f) {
    Scores scores = abcd(f);
    assertInvalid(scores.popLowest(f.key("s"), 0)).contains("score.popLowest: count");
    assertInvalid(scores.popLowest(f.key("s"), 10_001)).contains("count");
    assertThat(get(scores.popLowest(f.key("s"), 3)))
        .containsExactlyElementsOf(members("a", 1, "b", 2, "c", 3));
    assertThat(get(scores.popLowest(f.key("s")))).contains(ScoredMember.of("d", 4));
  }

  @EachBackend
  @DisplayName("C175 concurrent pops share the members without overlap")
  void popLowest_concurrent(Fixture f) {
    samples(f, 20);
    List<Future<List<ScoredMember>>> pops =
        IntStream.range(0, 32)
            .mapToObj(i -> (i % 2 == 0 ? f.state() : f.second()).scores())
            .map(scores -> scores.popLowest(f.key("s"), 1))
            .toList();
    List<ScoredMember> popped = pops.stream().flatMap(pop -> get(pop).stream()).toList();
    assertThat(popped).hasSize(20).doesNotHaveDuplicates();
    assertThat(pops.stream().filter(pop -> get(pop).isEmpty())).hasSize(12);
  }

  @EachBackend
  @DisplayName("0.9.6 changes of members keep the expiry")
  void changes_keepTtl(Fixture f) {
    Scores scores = samples(f, 20);
    get(f.state().keys().expire(f.key("s"), seconds(100)));
    get(scores.set(f.key("s"), "new", 1));
    get(scores.setAll(f.key("s"), members("newer", 2)));
    get(scores.remove(f.key("s"), "new"));
    get(scores.removeByScore(f.key("s"), 3));
    get(scores.removeByRank(f.key("s"), 0, 0));
    get(scores.popLowest(f.key("s"), 2));
    assertThat(get(scores.size(f.key("s")))).isEqualTo(14);
    assertExpires(f.state(), f.key("s"), seconds(90), seconds(100));
  }

  private static Scores abcd(Fixture f) {
    Scores scores = f.state().scores();
    get(scores.setAll(f.key("s"), members("a", 1, "b", 2, "c", 3, "d", 4)));
    return scores;
  }

  private static Scores samples(Fixture f, int count) {
    Scores scores = f.state().scores();
    IntStream.rangeClosed(1, count).forEach(i -> get(scores.set(f.key("s"), "s" + i, i)));
    return scores;
  }

  private static List<ScoredMember> members(Object... pairs) {
    return IntStream.range(0, pairs.length / 2)
        .mapToObj(i -> ScoredMember.of((String) pairs[2 * i], (Integer) pairs[2 * i + 1]))
        .toList();
  }

  private static List<String> names(Scores scores, String key, ScoreRange range) {
    return get(scores.range(key, range)).stream().map(ScoredMember::member).toList();
  }

  private static List<Double> values(Scores scores, String key, ScoreRange range) {
    return get(scores.range(key, range)).stream().map(m -> m.score().getAsDouble()).toList();
  }
}
