package io.runtimestate.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The workers of a replay: processes of their own where the store can be reached from another
 * process, else in this one.
 */
final class ReplayCrew implements AutoCloseable {
  private static final long PAUSE_MILLIS = 50;

  private final ReplayNode node;
  private final List<CrewMember> members = new ArrayList<>();
  private Optional<WorkerProcess> victim = Optional.empty();

  ReplayCrew(ReplayNode node) {
    this.node = node;
  }

  /** Starts a worker and does not wait for it. */
  void hire(WorkOrder order) {
    if (node.isShared()) {
      WorkerProcess process = WorkerProcess.start(node.options(), order);
      members.add(process);
      victim = order.holdAfter() == 0 ? victim : Optional.of(process);
    } else {
      NodeFailure.unless(order.holdAfter() == 0, "only on redis a worker can be killed");
      members.add(new LocalWorker(node.connect(), order));
    }
  }

  /** Waits until all of them work. */
  void awaitReady() {
    members.forEach(CrewMember::awaitReady);
    victim.ifPresent(WorkerProcess::killOnceItHolds);
  }

  /** Waits until their work is done, and the one that was to be killed is. */
  void await(BooleanSupplier done) {
    while (!done.getAsBoolean()) {
      NodeFailure.unless(members.stream().anyMatch(CrewMember::isAlive), "no worker is left");
      Waiting.on(node.pause(PAUSE_MILLIS));
    }
    NodeFailure.unless(
        victim.stream().allMatch(WorkerProcess::isKilled),
        "the first worker was not killed: it had too little to do");
  }

  @Override
  public void close() {
    members.forEach(CrewMember::close);
    members.clear();
  }
}
