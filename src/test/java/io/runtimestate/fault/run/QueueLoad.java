package io.runtimestate.fault.run;

import io.runtimestate.data.QueueEntry;
import io.runtimestate.support.Await;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Appends to a stream that a worker and a reader that waits both read, each for its own group. */
final class QueueLoad extends Load {
  private static final String STREAM = "queue";
  private static final String WORK = "work";
  private static final String TAP = "tap";
  private static final Duration BLOCK = Duration.ofMillis(500);
  private static final Duration BLOCK_LIMIT = BLOCK.plusSeconds(1);
  private static final Duration IDLE = Duration.ofMillis(500);

  private final Set<String> certain = ConcurrentHashMap.newKeySet();
  private final Set<String> possible = ConcurrentHashMap.newKeySet();
  private final Set<String> worked = ConcurrentHashMap.newKeySet();
  private final Set<String> tapped = ConcurrentHashMap.newKeySet();
  private final QueueWorker worker;
  private int made;

  QueueLoad(Place place) {
    super(place);
    Await.get(state.queues().ensureGroup(STREAM, TAP));
    worker = state.queues().worker(options(), message -> handle(message.fields().get("n")));
    Await.get(worker.start());
  }

  private static QueueWorkerOptions options() {
    return new QueueWorkerOptions(STREAM, WORK, "worker")
        .setBlock(BLOCK)
        .setConcurrency(8)
        .setMinIdle(IDLE)
        .setReclaimInterval(Duration.ofMillis(200))
        .setDeleteAfterAck(false) // the other group wants it too
        .setMaxDeliveries(null)
        .setDrainTimeout(Duration.ofSeconds(2));
  }

  private Future<?> handle(String number) {
    worked.add(number);
    return Future.succeededFuture();
  }

  @Override
  Future<?> turn() {
    return Future.join(burst(4, this::append), tap());
  }

  private Future<?> append() {
    String number = Integer.toString(made++);
    return call("queue.append", () -> state.queues().append(STREAM, Map.of("n", number)))
        .onSuccess(id -> certain.add(number))
        .onFailure(
            failure -> {
              if (mayHaveBeenApplied(failure)) {
                possible.add(number);
              }
            });
  }

  private Future<?> tap() {
    return call("queue.read", BLOCK_LIMIT, () -> state.queues().read(STREAM, TAP, "tap", 32, BLOCK))
        .compose(this::ackTapped);
  }

  private Future<?> ackTapped(List<QueueEntry> entries) {
    entries.forEach(entry -> tapped.add(entry.fields().get("n")));
    List<String> ids = entries.stream().map(QueueEntry::id).toList();
    return call("queue.ack", () -> state.queues().ack(STREAM, TAP, ids));
  }

  @Override
  void verify() {
    Await.until(() -> worked.containsAll(certain), "the worker has seen all");
    Await.until(() -> pending(WORK) == 0, "the worker has ended all");
    require(worker.isRunning(), "the worker stopped");
    Await.get(worker.close());
    Await.until(this::tapRest, "the reader has seen all");
    requireFrom(worked);
    requireFrom(tapped);
  }

  private long pending(String group) {
    return Await.get(state.queues().stats(STREAM, group)).pending();
  }

  /** What a reply that was lost had brought is still pending. */
  private boolean tapRest() {
    Await.get(ackTapped(Await.get(state.queues().read(STREAM, TAP, "tap", 1_000))));
    Duration least = Duration.ofMillis(1);
    Await.get(ackTapped(Await.get(state.queues().claim(STREAM, TAP, "tap", least)).entries()));
    return tapped.containsAll(certain) && pending(TAP) == 0;
  }

  private void requireFrom(Set<String> seen) {
    Set<String> others = new TreeSet<>(seen);
    others.removeAll(certain);
    require(possible.containsAll(others), "entries came from nowhere");
  }
}
