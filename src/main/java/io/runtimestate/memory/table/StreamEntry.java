package io.runtimestate.memory.table;

import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A stream in the keyspace: entries in id order and the groups that consume them. */
public final class StreamEntry extends DataEntry {
  /** Estimated bytes beside the name. */
  static final int OVERHEAD = 256;

  private final IdList<Message> messages = new IdList<>();
  private final Map<String, ConsumerGroup> groups = new TreeMap<>(Utf8.BYTE_ORDER);
  private EntryId lastId = EntryId.ZERO;
  private EntryId highestStart = EntryId.ZERO;
  private long added;

  StreamEntry(String key) {
    super(key, OVERHEAD + Utf8.length(key));
  }

  @Override
  public DataType type() {
    return DataType.STREAM;
  }

  /** How many entries exist. */
  public int length() {
    return messages.size();
  }

  /** The last id ever generated; {@code 0-0} before the first. */
  public EntryId lastId() {
    return lastId;
  }

  /** Goes on as if that id had been generated; for ids that cannot be reached by appending. */
  void continueAfter(EntryId id) {
    lastId = id;
  }

  /** How many entries were ever appended. */
  long added() {
    return added;
  }

  int countAfter(EntryId id) {
    return messages.countAfter(id);
  }

  void after(EntryId id, Predicate<Message> visitor) {
    if (!id.equals(EntryId.LAST)) {
      messages.from(id.next(), visitor);
    }
  }

  /**
   * The ids of the next entries.
   *
   * @throws RuntimeStateException CAPACITY_EXHAUSTED if there are not so many; nothing has changed
   */
  List<EntryId> nextIds(int count, long unixMillis) {
    List<EntryId> ids = new ArrayList<>(count);
    EntryId last = lastId;
    for (int i = 0; i < count; i++) {
      if (last.equals(EntryId.LAST)) {
        throw new RuntimeStateException(
            FailureCode.CAPACITY_EXHAUSTED, "the stream has used its last possible id");
      }
      boolean later = Long.compareUnsigned(unixMillis, last.millis()) > 0;
      last = later ? new EntryId(unixMillis, 0) : last.next();
      ids.add(last);
    }
    return ids;
  }

  void add(Message message) {
    lastId = message.id();
    messages.add(message);
    added++;
    if (message.id().compareTo(highestStart) <= 0) {
      groups.values().forEach(group -> group.appended(message.id()));
    }
    grow(message.bytes);
  }

  /** The estimated size of the oldest entries. */
  long bytesOfOldest(int count) {
    long[] sum = {0};
    int[] left = {count};
    messages.from(
        EntryId.ZERO,
        message -> {
          sum[0] += left[0] > 0 ? message.bytes : 0;
          return --left[0] > 0;
        });
    return sum[0];
  }

  /** The estimated size of an entry; 0 if it does not exist. */
  public long bytesOf(EntryId id) {
    Message message = messages.get(id);
    return message == null ? 0 : message.bytes;
  }

  /** Removes an entry, also from all pending lists; false if there is none. */
  public boolean remove(EntryId id) {
    Message message = messages.remove(id);
    if (message != null) {
      forget(message);
    }
    return message != null;
  }

  /** Removes the oldest entry; answers whether some group had not finished it. */
  boolean removeOldest() {
    return forget(messages.remove(messages.first().id()));
  }

  private boolean forget(Message message) {
    boolean unfinished = false;
    for (ConsumerGroup group : groups.values()) {
      unfinished |= group.removed(message.id());
    }
    grow(-message.bytes);
    return unfinished;
  }

  /** The group of that name, or null. */
  public ConsumerGroup group(String name) {
    return groups.get(name);
  }

  void addGroup(String name, EntryId start) {
    ConsumerGroup group = new ConsumerGroup(name, this, start);
    groups.put(name, group);
    highestStart = start.compareTo(highestStart) > 0 ? start : highestStart;
    grow(group.bytes());
  }

  /** Removes a group; those who wait in it fail. False if there is none. */
  public boolean removeGroup(String name) {
    ConsumerGroup group = groups.remove(name);
    if (group != null) {
      grow(-group.bytes());
      group.failWaiters(FailureCode.NO_SUCH_GROUP);
    }
    return group != null;
  }

  /** All groups in byte order of their names. */
  public List<GroupInfo> groups(long now) {
    return groups.values().stream().map(group -> group.info(now)).toList();
  }

  /** Gives new entries to those who wait for them. */
  void serve(long now) {
    groups.values().forEach(group -> group.serve(now));
  }

  @Override
  protected void removed() {
    groups.values().forEach(group -> group.failWaiters(FailureCode.NO_SUCH_STREAM));
  }
}
