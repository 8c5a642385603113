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

  private final NamedTree<Scored> members = new NamedTree<>(Scored.ORDER, ScoreEntry::bytesOf);

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
    return members.get(member);
  }

  /** Inserts a member or replaces its score. */
  public void put(String member, double score) {
    Scored old = members.get(member);
    if (old == null || old.score() != score) {
      long before = members.bytes();
      if (old != null) {
        members.remove(old);
      }
      members.add(new Scored(member, score));
      grow(members.bytes() - before);
    }
  }

  /** Removes a member that is there. */
  public void remove(Scored member) {
    int rank = members.rank(member);
    removeRanks(rank, rank + 1);
  }

  /** Removes the members with ranks from {@code from} up to {@code to}. */
  public void removeRanks(int from, int to) {
    if (from < to) {
      long before = members.bytes();
      members.removeRanks(from, to);
      grow(members.bytes() - before);
    }
  }

  /** How many members have a score below that; the rank of the first that has not. */
  public int countBelow(double score) {
    return members.count(member -> member.score() < score);
  }

  /** How many members have a score of at most that. */
  public int countUpTo(double score) {
    return members.count(member -> member.score() <= score);
  }

  /** The members of this moment with ranks from {@code from} up to {@code to}. */
  public List<Scored> ranks(int from, int to) {
    return members.slice(from, to);
  }

  /** The number of members. */
  public int size() {
    return members.size();
  }

  /**
   * By how much {@link #recordSample} would change the estimated size.
   *
   * @param old how many of the lowest members go first
   */
  public long growthOfSample(String member, double score, int old, int maxSize) {
    Scored existing = members.get(member);
    int remaining = size() - old - (existing == null || members.rank(existing) < old ? 0 : 1) + 1;
    int surplus = Math.max(0, remaining - maxSize);
    List<Scored> lowest = new ArrayList<>(ranks(old, Math.min(size(), old + surplus + 1)));
    lowest.remove(existing);
    lowest.add(new Scored(member, score));
    lowest.sort(Scored.ORDER);
    long replaced = existing == null || members.rank(existing) < old ? 0 : bytesOf(member);
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
