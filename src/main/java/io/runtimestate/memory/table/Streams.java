package io.runtimestate.memory.table;

import io.runtimestate.data.EntryId;
import io.runtimestate.data.Fields;
import io.runtimestate.data.RuntimeStateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The streams of a keyspace: making them, growing them within the budget, trimming them. */
public final class Streams {
  /** Limit of a stream that keeps everything. */
  public static final long NO_LIMIT = 0;

  private final Keyspace keyspace;
  private long trimmedUnfinished;

  /** The streams of that keyspace. */
  public Streams(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  /** How many entries were trimmed while some group had not finished them. */
  public long trimmedUnfinished() {
    return trimmedUnfinished;
  }

  /**
   * Adds a group.
   *
   * @param existing the live stream of that key, or null
   * @param start null: after the last id
   * @return false if the group exists
   * @throws RuntimeStateException CAPACITY_EXHAUSTED if there is no room; nothing has changed
   */
  public boolean ensureGroup(String key, StreamEntry existing, String group, EntryId start) {
    if (existing != null && existing.group(group) != null) {
      return false;
    }
    StreamEntry stream = existing == null ? new StreamEntry(key) : existing;
    EntryId from = start == null ? stream.lastId() : start;
    keyspace.budget().require(growth(existing, stream) + ConsumerGroup.bytesOf(group));
    open(existing, stream).addGroup(group, from);
    return true;
  }

  /**
   * Appends entries in one step, trims the stream and serves who waits.
   *
   * @param existing the live stream of that key, or null
   * @param maxLen how many entries remain; {@link #NO_LIMIT} for all
   * @param freed bytes that this operation frees elsewhere
   * @return the ids
   * @throws RuntimeStateException CAPACITY_EXHAUSTED if there is no room or no id left; nothing has
   *     changed
   */
  public List<EntryId> append(
      String key,
      StreamEntry existing,
      List<Map<String, String>> entries,
      long maxLen,
      long freed,
      long unixMillis,
      long now) {
    StreamEntry stream = existing == null ? new StreamEntry(key) : existing;
    List<EntryId> ids = stream.nextIds(entries.size(), unixMillis);
    List<Message> messages = new ArrayList<>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      messages.add(new Message(ids.get(i), Fields.of(entries.get(i))));
    }
    long growth = growth(existing, stream) + growth(stream, messages, maxLen);
    keyspace.budget().require(growth - freed);
    open(existing, stream);
    messages.forEach(stream::add);
    trim(stream, maxLen, Integer.MAX_VALUE);
    stream.serve(now);
    return ids;
  }

  /** Removes the oldest entries until so many remain, but no more than that at once. */
  public int trim(StreamEntry stream, long maxLen, int atOnce) {
    int surplus = maxLen == NO_LIMIT ? 0 : (int) Math.max(0, stream.length() - maxLen);
    return removeOldest(stream, Math.min(surplus, atOnce));
  }

  /** Removes so many of the oldest entries. */
  public int removeOldest(StreamEntry stream, int count) {
    for (int i = 0; i < count; i++) {
      trimmedUnfinished += stream.removeOldest() ? 1 : 0;
    }
    return count;
  }

  private static long growth(StreamEntry existing, StreamEntry stream) {
    return existing == null ? stream.bytes() : 0;
  }

  private static long growth(StreamEntry stream, List<Message> messages, long maxLen) {
    long surplus =
        maxLen == NO_LIMIT ? 0 : Math.max(0, (long) stream.length() + messages.size() - maxLen);
    int oldTrimmed = (int) Math.min(surplus, stream.length());
    int newTrimmed = (int) Math.min(surplus - oldTrimmed, messages.size());
    long growth = -stream.bytesOfOldest(oldTrimmed);
    for (Message message : messages.subList(newTrimmed, messages.size())) {
      growth += message.bytes;
    }
    return growth;
  }

  private StreamEntry open(StreamEntry existing, StreamEntry stream) {
    if (existing == null) {
      keyspace.add(stream);
    }
    return stream;
  }
}
