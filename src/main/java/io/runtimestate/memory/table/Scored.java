package io.runtimestate.memory.table;

import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.Utf8;
import java.util.Comparator;

/**
 * A member with its score. A new score makes a new one, so that a copy of the order is a snapshot.
 */
public final class Scored extends Named {
  static final Comparator<Scored> ORDER = Scored::compare;

  private final double score;

  Scored(String member, double score) {
    super(member);
    this.score = score;
  }

  /** The score: finite, and never negative zero. */
  public double score() {
    return score;
  }

  /** What callers see of it. */
  public ScoredMember result(boolean withScore) {
    return withScore ? ScoredMember.of(key, score) : ScoredMember.of(key);
  }

  private static int compare(Scored a, Scored b) {
    int byScore = Double.compare(a.score, b.score);
    return byScore != 0 ? byScore : Utf8.compare(a.key, b.key);
  }
}
