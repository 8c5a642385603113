package io.runtimestate.memory.table;

import io.runtimestate.data.Utf8;
import java.util.ArrayList;
import java.util.List;

/** A score in the keyspace: its members by name, and in the order of their scores. */
public final class ScoreEntry extends DataEntry {
  /** Estimated bytes of an empty score beside its key. */
  public static final int OVERHEAD = 256;

  /** Estimated bytes of a member beside its text: string, node, and a place in both tables. */
  public static final int MEMBER_OVERHEAD = 96;

  private final Dictionary<Scored> byMember = new Dictionary<>();
  private final RankedTree<Scored> byScore = new RankedTree<>(Scored.ORDER);

  /** A score without members yet. */
  public ScoreEntry(String key) {
    super(key, bytesOfKey(key));
  }

  /** The estimated size of a score without members. */
  public static long bytesOfKey(String key) {
    return OVERHEAD + (long) Utf8.length(key);
  }

  /** The estimated size of a member. */
  public static long bytesOf(String member) {
    return MEMBER_OVERHEAD + (long) Utf8.length(member);
  }

  /** The member of that name, or null. */
  public Scored get(String member) {
    return byMember.get(member);
  }

  /** Inserts a member or replaces its score. */
  public void put(String member, double score) {
    Scored old = byMember.get(member);
    if (old != null && old.score() == score) {
      return;
    }
    if (old != null) {
      remove(old);
    }
    Scored added = new Scored(member, score);
    byMember.add(added);
    byScore.add(added);
    grow(bytesOf(member));
  }

  /** Removes a member that is there. */
  public void remove(Scored member) {
    int rank = byScore.rank(member);
    removeRanks(rank, rank + 1);
  }

  /** Removes the members with ranks from {@code from} up to {@code to}. */
  public void removeRanks(int from, int to) {
    if (from < to) {
      List<Scored> removed = byScore.slice(from, to);
      byScore.remove(from, to);
      removed.forEach(byMember::remove);
      grow(-bytesOf(removed));
    }
  }

  /** How many members have a score below that; the rank of the first that has not. */
  public int countBelow(double score) {
    return byScore.count(member -> member.score() < score);
  }

  /** How many members have a score of at most that. */
  public int countUpTo(double score) {
    return byScore.count(member -> member.score() <= score);
  }

  /** The members of this moment with ranks from {@code from} up to {@code to}. */
  public List<Scored> ranks(int from, int to) {
    return byScore.slice(from, to);
  }

  /** The number of members. */
  public int size() {
    return byScore.size();
  }

  /**
   * By how much {@link #recordSample} would change the estimated size.
   *
   * @param old how many of the lowest members go first
   */
  public long growthOfSample(String member, double score, int old, int maxSize) {
    Scored existing = byMember.get(member);
    int remaining = size() - old - (existing == null || byScore.rank(existing) < old ? 0 : 1) + 1;
    int surplus = Math.max(0, remaining - maxSize);
    List<Scored> lowest = new ArrayList<>(ranks(old, Math.min(size(), old + surplus + 1)));
    lowest.remove(existing);
    lowest.add(new Scored(member, score));
    lowest.sort(Scored.ORDER);
    long replaced = existing == null || byScore.rank(existing) < old ? 0 : bytesOf(member);
    return bytesOf(member)
        - replaced
        - bytesOf(ranks(0, old))
        - bytesOf(lowest.subList(0, surplus));
  }

  /** Removes the lowest members, sets one, and removes the lowest beyond the size. */
  public void recordSample(String member, double score, int old, int maxSize) {
    removeRanks(0, old);
    put(member, score);
    removeRanks(0, Math.max(0, size() - maxSize));
  }

  private static long bytesOf(List<Scored> members) {
    long bytes = 0;
    for (Scored member : members) {
      bytes += bytesOf(member.key);
    }
    return bytes;
  }

  @Override
  public DataType type() {
    return DataType.SCORE;
  }
}
