package io.runtimestate.memory.table;

import io.runtimestate.data.Utf8;
import java.util.List;

/** A set in the keyspace: its members in byte order. */
public final class SetEntry extends DataEntry {
  /** Estimated bytes of an empty set beside its key. */
  public static final int OVERHEAD = 192;

  /** Estimated bytes of a member beside its text: the string object and its place in the order. */
  public static final int MEMBER_OVERHEAD = 64;

  private final RankedTree<String> members = new RankedTree<>(Utf8.BYTE_ORDER);

  /** A set without members yet. */
  public SetEntry(String key) {
    super(key, bytesOfKey(key));
  }

  /** The estimated size of an empty set. */
  public static long bytesOfKey(String key) {
    return OVERHEAD + (long) Utf8.length(key);
  }

  /** The estimated size of a member. */
  public static long bytesOf(String member) {
    return MEMBER_OVERHEAD + (long) Utf8.length(member);
  }

  /** Adds a text that is not a member. */
  public void add(String member) {
    members.add(member);
    grow(bytesOf(member));
  }

  /** Removes a member; false if there is no such member. */
  public boolean remove(String member) {
    int rank = members.rank(member);
    boolean found = rank < members.size() && members.get(rank).equals(member);
    if (found) {
      members.remove(rank, rank + 1);
      grow(-bytesOf(member));
    }
    return found;
  }

  /** Whether a text is a member. */
  public boolean contains(String member) {
    return members.contains(member);
  }

  /** All members of this moment, in byte order. */
  public List<String> members() {
    return members.slice(0, members.size());
  }

  /** The number of members. */
  public int size() {
    return members.size();
  }

  @Override
  public DataType type() {
    return DataType.SET;
  }
}
