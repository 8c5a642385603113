package io.runtimestate.memory.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A semaphore that has holders. Its permits are ordered in an index of its own; in the index of the
 * store it stands with the earliest of their deadlines, so that a count never looks at more than
 * the permits that have expired since the last one.
 */
final class SemaphoreEntry extends Entry {
  private static final int FEW = 4;

  private final SemaphoreTable table;
  private final Dictionary<PermitEntry> permits = new Dictionary<>();
  private final ExpiryIndex ends = new ExpiryIndex(FEW);
  final long bytes;

  SemaphoreEntry(SemaphoreTable table, String name, long bytes) {
    super(name);
    this.table = table;
    this.bytes = bytes;
  }

  PermitEntry find(String token) {
    return permits.get(token);
  }

  int size() {
    return permits.size();
  }

  /** The earliest end of a lease; {@link Entry#NEVER} if there is no permit. */
  long earliest() {
    return ends.earliest();
  }

  void add(PermitEntry permit) {
    permits.add(permit);
  }

  void schedule(PermitEntry permit, long deadline) {
    ends.schedule(permit, deadline);
  }

  void remove(PermitEntry permit) {
    ends.cancel(permit);
    permits.remove(permit);
  }

  /** Takes out one permit whose lease has ended; null if there is none. */
  Entry pollExpired(long now) {
    return ends.pollExpired(now);
  }

  void expire(PermitEntry permit) {
    table.expire(permit);
  }

  List<PermitEntry> all() {
    List<PermitEntry> all = new ArrayList<>(permits.size());
    Consumer<PermitEntry> take = all::add;
    long position = permits.scan(0, take);
    while (position != 0) {
      position = permits.scan(position, take);
    }
    return all;
  }

  /** One permit at a time; the store asks again while the earliest deadline has passed. */
  @Override
  public void expire() {
    pollExpired(ends.earliest()).expire();
    table.settle(this);
  }
}
