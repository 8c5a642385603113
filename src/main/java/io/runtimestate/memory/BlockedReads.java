package io.runtimestate.memory;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.memory.table.ConsumerGroup;
import io.runtimestate.memory.table.GroupWaiter;
import io.runtimestate.operation.QueueOperation.Read;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Reads that wait for an entry. One that waits costs nothing: the append that serves it finds it in
 * the line of its group, and the end of its wait is a deadline like any other.
 */
final class BlockedReads {
  private final Store store;
  private final int max;
  private final Set<Waiting> all = Collections.newSetFromMap(new IdentityHashMap<>());
  private volatile int count;
  private boolean closed;

  BlockedReads(Store store, int max) {
    this.store = store;
    this.max = max;
  }

  /** How many there are; from any thread. */
  int count() {
    return count;
  }

  /** Lets a read wait in the line of a group that has nothing new. */
  Later<List<QueueEntry>> await(Read read, ConsumerGroup group) {
    if (closed) {
      throw Owner.closed();
    }
    if (all.size() >= max) {
      throw new RuntimeStateException(
          FailureCode.OVERLOADED, "maxBlockedReads is " + max + " and all are in use; raise it");
    }
    Waiting waiting = new Waiting(read);
    all.add(waiting);
    count = all.size();
    store.expiry.schedule(waiting, store.clock.deadline(read.block().orElseThrow()));
    group.await(waiting);
    return waiting.answer;
  }

  /** Ends the wait of that very read, if it waits. */
  void end(Read read) {
    List<Waiting> ended = all.stream().filter(waiting -> waiting.read == read).toList();
    ended.forEach(Waiting::expire);
  }

  /** Fails whoever waits, and whoever would. */
  void close() {
    closed = true;
    for (Waiting waiting : List.copyOf(all)) {
      waiting.leave();
      waiting.failed(FailureCode.CLOSED);
    }
  }

  private final class Waiting extends GroupWaiter {
    private final Read read;
    private final Later<List<QueueEntry>> answer = new Later<>();

    Waiting(Read read) {
      super(read.consumer(), read.count());
      this.read = read;
    }

    @Override
    protected void served(List<QueueEntry> entries) {
      end();
      answer.complete(entries);
    }

    @Override
    protected void failed(FailureCode code) {
      end();
      answer.fail(Owner.failure(read, why(code), false));
    }

    private void end() {
      store.expiry.cancel(this);
      all.remove(this);
      count = all.size();
    }

    private RuntimeStateException why(FailureCode code) {
      return code == FailureCode.CLOSED
          ? Owner.closed()
          : new RuntimeStateException(code, "what the read waited for is gone");
    }
  }
}
