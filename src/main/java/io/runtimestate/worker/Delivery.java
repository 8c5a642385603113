package io.runtimestate.worker;

import io.runtimestate.data.QueueEntry;

/** One entry from receipt until its end is recorded. */
final class Delivery {
  final QueueEntry entry;
  final Backoff backoff = new Backoff();
  Runnable cancelTimer = () -> {};
  boolean settled; // the handler has ended, or is not waited for any more
  boolean unsure; // an earlier attempt to record the end may have succeeded

  Delivery(QueueEntry entry) {
    this.entry = entry;
  }

  String id() {
    return entry.id();
  }
}
