package io.runtimestate.worker;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What a worker did; written on its context, read by anybody. */
final class WorkerCounters {
  final AtomicLong inFlight = new AtomicLong();
  final AtomicLong handled = new AtomicLong();
  final AtomicLong failed = new AtomicLong();
  final AtomicLong reclaimed = new AtomicLong();
  final AtomicLong deadLettered = new AtomicLong();
  final AtomicLong lost = new AtomicLong();
  final AtomicLong vanished = new AtomicLong();
  final AtomicLong groupRecreated = new AtomicLong();
  volatile String lastError;

  QueueWorkerStatus status(boolean running) {
    return new QueueWorkerStatus(
        running,
        inFlight.get(),
        handled.get(),
        failed.get(),
        reclaimed.get(),
        deadLettered.get(),
        lost.get(),
        vanished.get(),
        groupRecreated.get(),
        Optional.ofNullable(lastError));
  }
}
