package io.runtimestate.model;

import io.runtimestate.data.ScoredMember;
import io.runtimestate.operation.ScoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Random steps on scores. */
final class Scores {
  static final List<Family> ALL =
      List.of(
          Scores::set,
          Scores::set,
          Scores::setAll,
          Scores::setAll,
          Scores::increment,
          Scores::getMany,
          Scores::range,
          Scores::range,
          Scores::count,
          Scores::size,
          Scores::remove,
          Scores::removeByScore,
          Scores::removeByRank,
          Scores::popLowest,
          Scores::windowStats,
          Scores::recordSample);

  private Scores() {}

  private static Step set(Vocabulary words) {
    String key = words.key();
    String member = words.member();
    double score = words.score();
    return Step.of(space -> new ScoreOperation.Set(space + key, member, score));
  }

  private static Step setAll(Vocabulary words) {
    String key = words.key();
    List<ScoredMember> members =
        words.members().stream().map(member -> ScoredMember.of(member, words.score())).toList();
    return Step.of(space -> new ScoreOperation.SetAll(space + key, members));
  }

  private static Step increment(Vocabulary words) {
    String key = words.key();
    String member = words.member();
    double delta = words.score();
    return Step.of(space -> new ScoreOperation.Increment(space + key, member, delta));
  }

  private static Step getMany(Vocabulary words) {
    String key = words.key();
    List<String> members = words.members();
    return Step.of(space -> new ScoreOperation.GetMany(space + key, members));
  }

  private static Step range(Vocabulary words) {
    String key = words.key();
    double min = words.bound();
    double max = words.bound();
    boolean reverse = words.chance(2);
    long offset = words.chance(2) ? 0 : words.random().nextInt(5);
    OptionalInt limit = size(words, 2);
    boolean scores = words.chance(2);
    return Step.of(
        space -> new ScoreOperation.Range(space + key, min, max, reverse, offset, limit, scores));
  }

  private static OptionalInt size(Vocabulary words, int absentOneIn) {
    return words.chance(absentOneIn)
        ? OptionalInt.empty()
        : OptionalInt.of(1 + words.random().nextInt(5));
  }

  private static Step count(Vocabulary words) {
    String key = words.key();
    double min = words.bound();
    double max = words.bound();
    return Step.of(space -> new ScoreOperation.Count(space + key, min, max));
  }

  private static Step size(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new ScoreOperation.Size(space + key));
  }

  private static Step remove(Vocabulary words) {
    String key = words.key();
    String member = words.member();
    return Step.of(space -> new ScoreOperation.Remove(space + key, member));
  }

  private static Step removeByScore(Vocabulary words) {
    String key = words.key();
    double max = words.bound();
    return Step.of(space -> new ScoreOperation.RemoveByScore(space + key, max));
  }

  private static Step removeByRank(Vocabulary words) {
    String key = words.key();
    long start = rank(words);
    long stop = rank(words);
    return Step.of(space -> new ScoreOperation.RemoveByRank(space + key, start, stop));
  }

  private static long rank(Vocabulary words) {
    return words.chance(10) ? words.number() : words.random().nextInt(13) - 6;
  }

  private static Step popLowest(Vocabulary words) {
    String key = words.key();
    int count = 1 + words.random().nextInt(4);
    return Step.of(space -> new ScoreOperation.PopLowest(space + key, count));
  }

  private static Step windowStats(Vocabulary words) {
    List<String> keys = words.keys();
    double min = words.score();
    return Step.of(
        space ->
            new ScoreOperation.WindowStats(keys.stream().map(key -> space + key).toList(), min));
  }

  private static Step recordSample(Vocabulary words) {
    String key = words.key();
    String member = words.member();
    double score = words.score();
    OptionalDouble keep =
        words.chance(3) ? OptionalDouble.empty() : OptionalDouble.of(words.bound());
    OptionalInt max = size(words, 3);
    Duration ttl = words.ttl().orElse(Duration.ofDays(1));
    return Step.of(
        space -> new ScoreOperation.RecordSample(space + key, member, score, keep, max, ttl));
  }
}
