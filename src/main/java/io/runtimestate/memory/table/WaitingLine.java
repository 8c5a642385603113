package io.runtimestate.memory.table;

import io.runtimestate.data.FailureCode;

/** The readers that wait for entries of one group: first come, first served. */
final class WaitingLine {
  private GroupWaiter front;
  private GroupWaiter last;

  boolean isEmpty() {
    return front == null;
  }

  void add(GroupWaiter waiter) {
    waiter.line = this;
    waiter.before = last;
    if (last == null) {
      front = waiter;
    } else {
      last.behind = waiter;
    }
    last = waiter;
  }

  /** Removes and returns the reader in front; there must be one. */
  GroupWaiter poll() {
    GroupWaiter polled = front;
    remove(polled);
    return polled;
  }

  void remove(GroupWaiter waiter) {
    if (waiter.before == null) {
      front = waiter.behind;
    } else {
      waiter.before.behind = waiter.behind;
    }
    if (waiter.behind == null) {
      last = waiter.before;
    } else {
      waiter.behind.before = waiter.before;
    }
    waiter.line = null;
    waiter.before = null;
    waiter.behind = null;
  }

  void failAll(FailureCode code) {
    while (!isEmpty()) {
      poll().failed(code);
    }
  }
}
