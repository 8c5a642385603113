package io.runtimestate.data;

import java.util.OptionalDouble;

/**
 * A member and its score.
 *
 * @param score present in what is stored; absent in answers that were asked for without scores
 */
public record ScoredMember(String member, OptionalDouble score) {
  /** Reads a missing score as absent. */
  public ScoredMember {
    score = score == null ? OptionalDouble.empty() : score;
  }

  /** A member with its score. */
  public static ScoredMember of(String member, double score) {
    return new ScoredMember(member, OptionalDouble.of(score));
  }

  /** A member alone. */
  public static ScoredMember of(String member) {
    return new ScoredMember(member, OptionalDouble.empty());
  }

  @Override
  public String toString() {
    return "ScoredMember";
  }
}
