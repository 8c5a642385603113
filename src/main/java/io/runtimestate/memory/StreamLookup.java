package io.runtimestate.memory;

import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.memory.table.ConsumerGroup;
import io.runtimestate.memory.table.Keyspace;
import io.runtimestate.memory.table.StreamEntry;
import java.util.List;
import java.util.function.Predicate;

/** Finds streams, groups and ids for the operations on queues. */
record StreamLookup(Keyspace keyspace) {

  /** The live stream of that name, or null. */
  StreamEntry find(String key) {
    return keyspace.find(key, StreamEntry.class);
  }

  /** The live stream of that name; NO_SUCH_STREAM if there is none. */
  StreamEntry stream(String key) {
    StreamEntry stream = find(key);
    if (stream == null) {
      throw new RuntimeStateException(FailureCode.NO_SUCH_STREAM, "the stream does not exist");
    }
    return stream;
  }

  /** A group of a live stream; NO_SUCH_STREAM or NO_SUCH_GROUP. */
  ConsumerGroup group(String key, String name) {
    return group(stream(key), name);
  }

  static ConsumerGroup group(StreamEntry stream, String name) {
    ConsumerGroup group = stream.group(name);
    if (group == null) {
      throw new RuntimeStateException(FailureCode.NO_SUCH_GROUP, "the group does not exist");
    }
    return group;
  }

  /** For how many of the texts that are ids something was done. */
  static long count(List<String> ids, Predicate<EntryId> done) {
    return ids.stream().map(EntryId::parse).filter(id -> id != null && done.test(id)).count();
  }
}
