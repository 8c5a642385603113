package io.runtimestate.memory.table;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import java.util.List;

/**
 * A reader that waits for an entry. It stands in the line of its group and, with the end of its
 * wait as deadline, in the one expiry index. It is told once: entries, nothing, or a failure.
 */
public abstract class GroupWaiter extends Entry {
  final String consumer;
  final int count;
  WaitingLine line;
  GroupWaiter before;
  GroupWaiter behind;

  /** A reader that takes up to {@code count} entries. */
  protected GroupWaiter(String consumer, int count) {
    super("");
    this.consumer = consumer;
    this.count = count;
  }

  /** Hears its entries, or an empty list at the end of its wait; it is in no line any more. */
  protected abstract void served(List<QueueEntry> entries);

  /** Hears that what it waited for is gone; it is in no line any more. */
  protected abstract void failed(FailureCode code);

  /** Takes it out of the line, if it stands in one. */
  public final void leave() {
    if (line != null) {
      line.remove(this);
    }
  }

  @Override
  public final void expire() {
    leave();
    served(List.of());
  }
}
