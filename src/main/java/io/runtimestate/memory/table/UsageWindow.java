package io.runtimestate.memory.table;

import io.runtimestate.data.Utf8;

/**
 * The events of one sliding window, by id and by time. Times are unix milliseconds of the callers,
 * which may go back; so the events are kept in order and not in a queue.
 */
public final class UsageWindow extends ControlEntry {
  private static final int OVERHEAD = 256;
  private static final int EVENT_OVERHEAD = 96;

  private final UsageWindows windows;
  private final NamedTree<UsageEvent> events =
      new NamedTree<>(UsageEvent.ORDER, UsageWindow::bytesOfEvent);
  private final Mark mark = new Mark();
  private long retainedUntil;
  private long length;

  UsageWindow(ControlTable<UsageWindow> home, UsageWindows windows, String key) {
    super(home, key, bytesOf(key));
    this.windows = windows;
  }

  static long bytesOf(String key) {
    return OVERHEAD + (long) Utf8.length(key);
  }

  static long bytesOfEvent(String id) {
    return EVENT_OVERHEAD + (long) Utf8.length(id);
  }

  /** Its place among the windows that may be reclaimed. */
  final class Mark extends Entry {
    private Mark() {
      super("");
    }

    UsageWindow window() {
      return UsageWindow.this;
    }

    @Override
    public void expire() {
      throw new IllegalStateException("marks are polled by their owner");
    }
  }

  Mark mark() {
    return mark;
  }

  int size() {
    return events.size();
  }

  UsageEvent event(String id) {
    return events.get(id);
  }

  UsageEvent earliest(int rank) {
    return events.get(rank);
  }

  /** How many events no longer count at a time, in a window of that length. */
  int expired(long now, long window) {
    return now >= retainedUntil ? size() : events.count(event -> event.at <= now - window);
  }

  /** Whether an event counts at a time, in a window of that length. */
  boolean counts(String id, long now, long window) {
    UsageEvent event = events.get(id);
    return event != null && now < retainedUntil && event.at > now - window;
  }

  /** Adds an event that is not in the window. */
  void add(String id, long at) {
    events.add(new UsageEvent(id, at));
    grow(bytesOfEvent(id));
    windows.eventsAdded(1);
  }

  /** Removes an event that is in the window. */
  void remove(UsageEvent event) {
    int rank = events.rank(event);
    removeRanks(rank, rank + 1);
  }

  /** Removes the earliest events; at least one stays. */
  void removeEarliest(int number) {
    removeRanks(0, number);
  }

  private void removeRanks(int from, int to) {
    long before = events.bytes();
    events.removeRanks(from, to);
    grow(events.bytes() - before);
    windows.eventsAdded(from - to);
  }

  /** An admitted check used it. */
  void used(long until, long window) {
    retainedUntil = until;
    length = window;
  }

  /** The first unix time of the backend at which something in it may be reclaimed. */
  long reclaimableAt() {
    return Math.min(retainedUntil, events.get(0).at + length);
  }

  /** How many events may be reclaimed at a unix time of the backend. */
  int reclaimable(long now) {
    return expired(now, length);
  }

  @Override
  protected void removed() {
    windows.eventsAdded(-size());
    windows.forget(mark);
  }
}
