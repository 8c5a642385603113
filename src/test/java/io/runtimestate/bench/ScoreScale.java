package io.runtimestate.bench;

import io.runtimestate.ScoreRange;
import io.runtimestate.Scores;
import io.runtimestate.data.ScoredMember;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** One set of scores with so many members; the score of a member is its number. */
final class ScoreScale implements ScaleFamily {
  private static final String KEY = "scores";
  private static final String SERIES = "series";
  private static final int SOME = 10;
  private static final int WINDOW = 100;

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    Scores scores = world.state().scores();
    AtomicLong newest = new AtomicLong(world.size() - 1);
    Chain.on(world.owner(), world.size(), i -> scores.set(KEY, ScaleWorld.name(i), (double) i));
    Chain.on(world.owner(), world.size(), i -> scores.set(SERIES, i + ":1", (double) i));
    return Stream.of(
            writes(world, scores, newest), reads(world, scores, newest), removals(world, scores))
        .<ScaleOperation<?, ?>>flatMap(List::stream)
        .toList();
  }

  private static List<ScaleOperation<?, ?>> writes(
      ScaleWorld world, Scores scores, AtomicLong newest) {
    return List.of(
        ScaleOperation.of(
            "score.set of a member that moves",
            "log n",
            n -> ScoredMember.of(world.some(n), world.index(n + 1)),
            to -> scores.set(KEY, to.member(), to.score().orElseThrow())),
        ScaleOperation.of(
                "score.set of a new member",
                "log n",
                n -> ScoredMember.of(world.other(n), world.index(n)),
                to -> scores.set(KEY, to.member(), to.score().orElseThrow()))
            .undo((to, done) -> scores.remove(KEY, to.member())),
        ScaleOperation.of(
            "score.increment", "log n", world::some, member -> scores.increment(KEY, member, 1)),
        ScaleOperation.of(
            "score.recordSample, one in and one out",
            "log n",
            n -> newest.incrementAndGet(),
            n ->
                scores.recordSample(
                    SERIES,
                    n + ":1",
                    n,
                    OptionalDouble.empty(),
                    OptionalInt.of(world.size()),
                    Stage.TTL)));
  }

  private static List<ScaleOperation<?, ?>> reads(
      ScaleWorld world, Scores scores, AtomicLong newest) {
    return List.of(
        ScaleOperation.of(
            "score.getMany of 10",
            "k log n",
            n -> LongStream.range(0, SOME).mapToObj(i -> world.some(n * SOME + i)).toList(),
            members -> scores.getMany(KEY, members)),
        ScaleOperation.of(
            "score.range, 10 from a score",
            "log n + k",
            n -> ScoreRange.all().from(world.index(n)).limit(SOME).withScores(),
            range -> scores.range(KEY, range)),
        ScaleOperation.of(
            "score.range, 10 of the highest after skipping some of n",
            "log n + k",
            n -> ScoreRange.all().reversed().skip(world.index(n)).limit(SOME),
            range -> scores.range(KEY, range)),
        ScaleOperation.of(
            "score.count of a quarter",
            "log n",
            n -> world.index(n),
            from -> scores.count(KEY, from, from + world.size() / 4.0)),
        ScaleOperation.of("score.size", "1", n -> KEY, scores::size),
        ScaleOperation.of(
            "score.windowStats of 100",
            "log n + window",
            n -> newest.get() - WINDOW + 1,
            from -> scores.windowStats(List.of(SERIES), from)));
  }

  private static List<ScaleOperation<?, ?>> removals(ScaleWorld world, Scores scores) {
    return List.of(
        ScaleOperation.prepared(
            "score.remove",
            "log n",
            n -> added(scores, world.other(n), world.index(n)),
            member -> scores.remove(KEY, member.member())),
        ScaleOperation.prepared(
            "score.removeByScore of 10",
            "log n + k",
            n -> lowest(scores, n),
            max -> scores.removeByScore(KEY, max)),
        ScaleOperation.prepared(
                "score.removeByRank of 10 in the middle",
                "log n + k",
                n -> scores.range(KEY, middle(world, n)),
                members -> scores.removeByRank(KEY, world.size() / 2, world.size() / 2 + SOME - 1))
            .undo((members, removed) -> scores.setAll(KEY, members)),
        ScaleOperation.<String, List<ScoredMember>>of(
                "score.popLowest of 10", "k log n", n -> KEY, key -> scores.popLowest(key, SOME))
            .undo((key, members) -> scores.setAll(key, members)));
  }

  private static Future<ScoredMember> added(Scores scores, String member, double score) {
    return scores.set(KEY, member, score).map(ScoredMember.of(member, score));
  }

  /** Below all others, those of the first call of a batch lowest; answers the highest of them. */
  private static Future<Double> lowest(Scores scores, long number) {
    double first = SOME * (number % ScaleContender.BATCH - ScaleContender.BATCH);
    List<ScoredMember> members =
        IntStream.range(0, SOME)
            .mapToObj(i -> ScoredMember.of("low" + first + i, first + i))
            .toList();
    return scores.setAll(KEY, members).map(first + SOME - 1);
  }

  /** What will be in the middle when the calls of the batch before have removed theirs. */
  private static ScoreRange middle(ScaleWorld world, long number) {
    return ScoreRange.all()
        .skip(world.size() / 2 + number % ScaleContender.BATCH * SOME)
        .limit(SOME)
        .withScores();
  }
}
