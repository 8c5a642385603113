package io.runtimestate.operation;

import io.runtimestate.data.ScoredMember;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Operations on scores: texts with a finite number each, ordered by number, ties by byte order.
 * Removing the last member removes the key and its expiry; other changes keep it.
 *
 * @param <R> the result
 */
public sealed interface ScoreOperation<R> extends Operation<R> {

  /** Inserts a member or overwrites its score; answers whether the member is new. */
  record Set(String key, String member, double score) implements ScoreOperation<Boolean> {
    /** Checks the arguments. */
    public Set {
      Checks.key(this, "key", key);
      Checks.text(this, "member", member);
      score = Checks.finite(this, "score", score);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Sets many scores; answers how many distinct members are new. A member given twice ends with the
   * later score. Chunked.
   */
  record SetAll(String key, List<ScoredMember> members) implements ScoreOperation<Long> {
    /** Checks and copies the arguments. */
    public SetAll {
      Checks.key(this, "key", key);
      members = Checks.list(this, "members", members, SetAll::member);
    }

    private static ScoredMember member(Operation<?> operation, Object what, ScoredMember given) {
      Checks.text(operation, Checks.part(what, ".member"), given.member());
      Checks.require(
          given.score().isPresent(), operation, Checks.part(what, ".score"), "is required");
      double score = given.score().getAsDouble();
      return ScoredMember.of(
          given.member(), Checks.finite(operation, Checks.part(what, ".score"), score));
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Adds to a score and answers the new one; a missing member counts as 0. A sum that is not finite
   * fails {@code INVALID_INPUT} and changes nothing.
   */
  record Increment(String key, String member, double delta) implements ScoreOperation<Double> {
    /** Checks the arguments. */
    public Increment {
      Checks.key(this, "key", key);
      Checks.text(this, "member", member);
      delta = Checks.finite(this, "delta", delta);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Reads many scores, position by position; absent where there is no such member. Chunked. */
  record GetMany(String key, List<String> members)
      implements ScoreOperation<List<Optional<Double>>> {
    /** Checks and copies the arguments. */
    public GetMany {
      Checks.key(this, "key", key);
      members = Checks.list(this, "members", members, Checks::text);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Members with a score from min to max, both inclusive, in order or in mirror order.
   *
   * @param min always the lower bound, also in mirror order; may be infinite
   * @param max may be infinite; below min the answer is empty
   * @param offset how many of them to skip, counted in the direction asked for
   * @param limit how many to answer, at least 1; absent: all
   * @param withScores whether the answer carries the scores
   */
  record Range(
      String key,
      @Default("-inf") double min,
      @Default("+inf") double max,
      @Default("false") boolean reverse,
      @Default("0") long offset,
      OptionalInt limit,
      @Default("false") boolean withScores)
      implements ScoreOperation<List<ScoredMember>> {
    /** Checks the arguments. */
    public Range {
      Checks.key(this, "key", key);
      min = Checks.bound(this, "min", min);
      max = Checks.bound(this, "max", max);
      Checks.require(offset >= 0, this, "offset", "must not be negative");
      limit = Checks.optionalPositive(this, "limit", limit);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** How many members have a score from min to max, both inclusive. */
  record Count(String key, @Default("-inf") double min, @Default("+inf") double max)
      implements ScoreOperation<Long> {
    /** Checks the arguments. */
    public Count {
      Checks.key(this, "key", key);
      min = Checks.bound(this, "min", min);
      max = Checks.bound(this, "max", max);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** The number of members; 0 for a missing key. */
  record Size(String key) implements ScoreOperation<Long> {
    /** Checks the argument. */
    public Size {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes a member; answers whether it was there. */
  record Remove(String key, String member) implements ScoreOperation<Boolean> {
    /** Checks the arguments. */
    public Remove {
      Checks.key(this, "key", key);
      Checks.text(this, "member", member);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes the members with a score of at most max; answers how many. */
  record RemoveByScore(String key, double max) implements ScoreOperation<Long> {
    /** Checks the arguments. */
    public RemoveByScore {
      Checks.key(this, "key", key);
      max = Checks.bound(this, "max", max);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Removes the members with ranks from start to stop, both inclusive; answers how many.
   *
   * @param start ascending from 0; negative ranks count from the end, -1 is the last
   * @param stop the same
   */
  record RemoveByRank(String key, long start, long stop) implements ScoreOperation<Long> {
    /** Checks the arguments. */
    public RemoveByRank {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes the lowest members and answers them, ascending, with their scores. */
  record PopLowest(String key, @Default("1") int count)
      implements ScoreOperation<List<ScoredMember>> {
    /** Checks the arguments. */
    public PopLowest {
      Checks.key(this, "key", key);
      count = (int) Checks.within(this, "count", count, 1, Checks.MAX_COUNT);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Statistics of the members with a score of at least min, for each key; absent for a key with
   * more than 512 such members. Atomic per key.
   */
  record WindowStats(List<String> keys, double min)
      implements ScoreOperation<List<Optional<io.runtimestate.data.WindowStats>>> {
    /** The largest window that is answered. */
    public static final int MAX_MEMBERS = 512;

    /** Checks and copies the arguments. */
    public WindowStats {
      keys = Checks.list(this, "keys", keys, Checks::key);
      min = Checks.finite(this, "min", min);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * One step of a bounded time series: removes old members, sets one, removes the lowest beyond the
   * size, sets the expiry, in this order; answers the size.
   *
   * @param keepAbove members with a score of at most this go first; absent: none
   * @param maxSize how many members may remain, at least 1; absent: all
   * @param ttl the expiry of the whole, from now
   */
  record RecordSample(
      String key,
      String member,
      double score,
      OptionalDouble keepAbove,
      OptionalInt maxSize,
      Duration ttl)
      implements ScoreOperation<Long> {
    /** Checks the arguments. */
    public RecordSample {
      Checks.key(this, "key", key);
      Checks.text(this, "member", member);
      score = Checks.finite(this, "score", score);
      keepAbove = Checks.optionalBound(this, "keepAbove", keepAbove);
      maxSize = Checks.optionalPositive(this, "maxSize", maxSize);
      ttl = Checks.positive(this, "ttl", ttl);
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
