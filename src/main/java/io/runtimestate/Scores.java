package io.runtimestate;

import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.WindowStats;
import io.runtimestate.operation.ScoreOperation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Scores: texts with a finite number each, ordered by that number, ties by UTF-8 bytes.
 *
 * <p>Numbers round-trip bit for bit, but -0.0 becomes 0.0. Removing the last member removes the key
 * and its expiry; every other change keeps the expiry. A missing key acts as an empty collection.
 * Argument rules are those of {@link KeyValues}; a member may be empty, NaN fails {@code
 * INVALID_INPUT}, bounds may be infinite. A live key of another type fails {@code WRONG_TYPE}.
 */
public final class Scores {
  private final Door door;

  Scores(Door door) {
    this.door = door;
  }

  /** Inserts a member or overwrites its score; true if the member is new. */
  public Future<Boolean> set(String key, String member, double score) {
    return door.call(() -> new ScoreOperation.Set(key, member, score));
  }

  /**
   * Sets many scores, at most 100 000; each piece of 1 000 is one atomic step. A member given twice
   * ends with the later score.
   *
   * @return how many distinct members are new
   */
  public Future<Long> setAll(String key, List<ScoredMember> members) {
    return door.call(() -> new ScoreOperation.SetAll(key, members));
  }

  /**
   * Adds to a score; a missing member counts as 0. A sum that is not finite fails {@code
   * INVALID_INPUT} and changes nothing.
   *
   * @return the new score
   */
  public Future<Double> increment(String key, String member, double delta) {
    return door.call(() -> new ScoreOperation.Increment(key, member, delta));
  }

  /** The score of a member; empty if there is no such member. */
  public Future<Optional<Double>> get(String key, String member) {
    List<String> one = member == null ? null : List.of(member);
    return getMany(key, one).map(scores -> scores.get(0));
  }

  /** The scores of many members, position by position; each piece of 1 000 is one snapshot. */
  public Future<List<Optional<Double>>> getMany(String key, List<String> members) {
    return door.call(() -> new ScoreOperation.GetMany(key, members));
  }

  /** The names of all members with a score of at least min, ascending. */
  public Future<List<String>> rangeByMin(String key, double min) {
    return range(key, ScoreRange.all().from(min))
        .map(found -> found.stream().map(ScoredMember::member).toList());
  }

  /**
   * The members of a range, all of one instant, in order.
   *
   * @param range null: all members
   */
  public Future<List<ScoredMember>> range(String key, ScoreRange range) {
    return door.call(() -> (range == null ? ScoreRange.all() : range).of(key));
  }

  /** How many members have a score from min to max, both inclusive; 0 if min is above max. */
  public Future<Long> count(String key, double min, double max) {
    return door.call(() -> new ScoreOperation.Count(key, min, max));
  }

  /** The number of members. */
  public Future<Long> size(String key) {
    return door.call(() -> new ScoreOperation.Size(key));
  }

  /** Removes a member; true if it was there. */
  public Future<Boolean> remove(String key, String member) {
    return door.call(() -> new ScoreOperation.Remove(key, member));
  }

  /** Removes the members with a score of at most max; answers how many. */
  public Future<Long> removeByScore(String key, double max) {
    return door.call(() -> new ScoreOperation.RemoveByScore(key, max));
  }

  /**
   * Removes the members with ranks from start to stop, ascending from 0, both inclusive; negative
   * ranks count from the end. Ranks outside the collection are cut off.
   *
   * @return how many were removed
   */
  public Future<Long> removeByRank(String key, long start, long stop) {
    return door.call(() -> new ScoreOperation.RemoveByRank(key, start, stop));
  }

  /** Removes the lowest member and answers it with its score; empty if there is none. */
  public Future<Optional<ScoredMember>> popLowest(String key) {
    return popLowest(key, 1).map(popped -> popped.stream().findFirst());
  }

  /**
   * Removes the lowest members and answers them, ascending, with their scores.
   *
   * @param count how many at most, 1 to 10 000
   */
  public Future<List<ScoredMember>> popLowest(String key, int count) {
    return door.call(() -> new ScoreOperation.PopLowest(key, count));
  }

  /**
   * Statistics of the members with a score of at least min, one answer for each key; see {@link
   * WindowStats} for what counts. Atomic per key, not across keys.
   *
   * @param min finite
   * @return empty for a key with more than 512 such members: read its range instead, and sum it
   *     with {@link WindowStats#fromMembers}
   */
  public Future<List<Optional<WindowStats>>> windowStats(List<String> keys, double min) {
    return door.call(() -> new ScoreOperation.WindowStats(keys, min));
  }

  /**
   * Keeps a bounded time series in one step: removes the members with a score of at most {@code
   * keepAbove}, sets the member, removes the lowest until at most {@code maxSize} remain, and lets
   * the whole expire after {@code ttl}.
   *
   * @param keepAbove absent: no member is too old
   * @param maxSize at least 1; absent: no bound
   * @return how many members remain
   */
  public Future<Long> recordSample(
      String key,
      String member,
      double score,
      OptionalDouble keepAbove,
      OptionalInt maxSize,
      Duration ttl) {
    return door.call(
        () -> new ScoreOperation.RecordSample(key, member, score, keepAbove, maxSize, ttl));
  }
}
