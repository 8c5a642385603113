package io.runtimestate.memory;

import io.runtimestate.data.EntryId;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.StreamStats;
import io.runtimestate.memory.table.ConsumerGroup;
import io.runtimestate.memory.table.StreamEntry;
import io.runtimestate.memory.table.Streams;
import io.runtimestate.operation.QueueOperation.Append;
import io.runtimestate.operation.QueueOperation.AppendAll;
import io.runtimestate.operation.QueueOperation.Delete;
import io.runtimestate.operation.QueueOperation.EnsureGroup;
import io.runtimestate.operation.QueueOperation.Groups;
import io.runtimestate.operation.QueueOperation.Read;
import io.runtimestate.operation.QueueOperation.RemoveGroup;
import io.runtimestate.operation.QueueOperation.Stats;
import io.runtimestate.operation.QueueOperation.Trim;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Streams in memory: what goes in, what is delivered, what is thrown away. */
final class QueueHandlers {
  private final Store store;
  private final StreamLookup lookup;
  private final BlockedReads blockedReads;

  QueueHandlers(Store store, BlockedReads blockedReads) {
    this.store = store;
    this.lookup = new StreamLookup(store.keyspace);
    this.blockedReads = blockedReads;
  }

  void register(Owner owner) {
    owner.on(EnsureGroup.class, this::ensureGroup);
    owner.on(Append.class, this::append);
    owner.on(AppendAll.class, this::appendAll);
    owner.onEither(Read.class, this::read);
    owner.onChunked(Delete.class, this::delete);
    owner.on(RemoveGroup.class, this::removeGroup);
    owner.on(Groups.class, this::groups);
    owner.onChunked(Trim.class, Trimming::new);
    owner.on(Stats.class, this::stats);
  }

  private boolean ensureGroup(EnsureGroup ensure) {
    EntryId start = ensure.isAtEnd() ? null : EntryId.parse(ensure.start());
    StreamEntry stream = lookup.find(ensure.stream());
    return store.streams.ensureGroup(ensure.stream(), stream, ensure.group(), start);
  }

  private String append(Append append) {
    return append(append.stream(), List.of(append.fields()), append.maxLen()).get(0);
  }

  private List<String> appendAll(AppendAll append) {
    return append.entries().isEmpty()
        ? List.of()
        : append(append.stream(), append.entries(), append.maxLen());
  }

  private List<String> append(String key, List<Map<String, String>> entries, OptionalLong maxLen) {
    StreamEntry stream = lookup.find(key);
    long limit = maxLen.orElse(Streams.NO_LIMIT);
    return store
        .streams
        .append(key, stream, entries, limit, 0, store.clock.unixNow(), store.clock.now())
        .stream()
        .map(EntryId::toString)
        .toList();
  }

  /** Answers entries or, if there are none and the read may wait, a {@link Later}. */
  private Object read(Read read) {
    ConsumerGroup group = lookup.group(read.stream(), read.group());
    return group.lag() == 0 && read.block().isPresent()
        ? blockedReads.await(read, group)
        : delivered(group, read);
  }

  private List<QueueEntry> delivered(ConsumerGroup group, Read read) {
    return group.deliver(read.consumer(), read.count(), store.clock.now());
  }

  private Chunks<String, Long> delete(Delete delete) {
    long[] deleted = {0};
    return new Chunks<>(
        delete.ids(),
        ids -> {
          StreamEntry stream = lookup.find(delete.stream());
          deleted[0] += stream == null ? 0 : StreamLookup.count(ids, stream::remove);
        },
        () -> deleted[0]);
  }

  private boolean removeGroup(RemoveGroup remove) {
    StreamEntry stream = lookup.find(remove.stream());
    return stream != null && stream.removeGroup(remove.group());
  }

  private List<GroupInfo> groups(Groups groups) {
    StreamEntry stream = lookup.find(groups.stream());
    return stream == null ? List.of() : stream.groups(store.clock.now());
  }

  private StreamStats stats(Stats stats) {
    StreamEntry stream = lookup.find(stats.stream());
    ConsumerGroup group = stream == null ? null : stats.group().map(stream::group).orElse(null);
    long length = stream == null ? 0 : stream.length();
    return group == null
        ? new StreamStats(length, 0, Optional.empty(), Optional.empty())
        : new StreamStats(
            length, group.pending(), Optional.of(group.lag()), group.oldestIdle(store.clock.now()));
  }

  /** Removes what was too much when it began, so that appends meanwhile cannot prolong it. */
  private final class Trimming extends Steps<Long> {
    private final Trim trim;
    private long left = Long.MAX_VALUE;
    private long trimmed;

    Trimming(Trim trim) {
      this.trim = trim;
    }

    @Override
    void step() {
      StreamEntry stream = lookup.find(trim.stream());
      left = Math.min(left, stream == null ? 0 : stream.length() - trim.maxLen());
      if (left > 0) {
        int step = store.streams.removeOldest(stream, (int) Math.min(left, Chunks.PIECE));
        trimmed += step;
        left -= step;
      }
    }

    @Override
    boolean isDone() {
      return left <= 0;
    }

    @Override
    Long result() {
      return trimmed;
    }
  }
}
