package io.runtimestate;

import io.runtimestate.operation.ScoreOperation;
import java.util.OptionalInt;

/**
 * Which members of a score to read. Immutable; begin with {@link #all()}. Bounds are inclusive, may
 * be infinite, and keep their meaning in mirror order. What breaks a rule fails the read.
 */
public final class ScoreRange {
  private static final ScoreRange ALL =
      new ScoreRange(
          Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, false, 0, OptionalInt.empty(), false);

  private final double min;
  private final double max;
  private final boolean reverse;
  private final long offset;
  private final OptionalInt limit;
  private final boolean scores;

  private ScoreRange(
      double min, double max, boolean reverse, long offset, OptionalInt limit, boolean scores) {
    this.min = min;
    this.max = max;
    this.reverse = reverse;
    this.offset = offset;
    this.limit = limit;
    this.scores = scores;
  }

  /** Every member, ascending, without scores. */
  public static ScoreRange all() {
    return ALL;
  }

  /** The members with a score from min to max; none if min is above max. */
  public static ScoreRange between(double min, double max) {
    return ALL.from(min).to(max);
  }

  /** Only members with a score of at least min. */
  public ScoreRange from(double lowest) {
    return new ScoreRange(lowest, max, reverse, offset, limit, scores);
  }

  /** Only members with a score of at most max. */
  public ScoreRange to(double highest) {
    return new ScoreRange(min, highest, reverse, offset, limit, scores);
  }

  /** In exactly the opposite order: highest first. */
  public ScoreRange reversed() {
    return new ScoreRange(min, max, !reverse, offset, limit, scores);
  }

  /** Leaves out the first members in the order asked for; not negative. */
  public ScoreRange skip(long members) {
    return new ScoreRange(min, max, reverse, members, limit, scores);
  }

  /** Ends after so many members, at least 1. */
  public ScoreRange limit(int members) {
    return new ScoreRange(min, max, reverse, offset, OptionalInt.of(members), scores);
  }

  /** Answers the scores too. */
  public ScoreRange withScores() {
    return new ScoreRange(min, max, reverse, offset, limit, true);
  }

  ScoreOperation.Range of(String key) {
    return new ScoreOperation.Range(key, min, max, reverse, offset, limit, scores);
  }
}
