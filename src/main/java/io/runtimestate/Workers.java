package io.runtimestate;

import io.runtimestate.observe.WorkerFigures;
import io.runtimestate.observe.WorkerMeters;
import io.runtimestate.spi.Callers;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.WorkerRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The workers of a runtime that are at work; any thread. */
final class Workers implements WorkerRegistry {
  private final Vertx vertx;
  private final WorkerMeters meters;
  private final Map<QueueWorker, Runnable> atWork = new ConcurrentHashMap<>(); // hides its meters
  private volatile boolean closed;

  Workers(Vertx vertx) {
    this.vertx = vertx;
    this.meters = new WorkerMeters(vertx);
  }

  @Override
  public boolean enter(QueueWorker worker) {
    atWork.put(worker, meters.show(worker.stream(), worker.group(), figures(worker)));
    if (closed) { // asked after adding: close() ends what it finds
      leave(worker);
    }
    return !closed;
  }

  @Override
  public void leave(QueueWorker worker) {
    Runnable hide = atWork.remove(worker);
    if (hide != null) {
      hide.run();
    }
  }

  private static WorkerFigures figures(QueueWorker worker) {
    Map<String, LongSupplier> messages =
        Map.of(
            "handled", () -> worker.status().handled(),
            "failed", () -> worker.status().failed(),
            "reclaimed", () -> worker.status().reclaimed(),
            "dead_lettered", () -> worker.status().deadLettered(),
            "lost", () -> worker.status().lost(),
            "vanished", () -> worker.status().vanished());
    return new WorkerFigures(
        messages, () -> worker.status().groupRecreated(), () -> worker.status().inFlight());
  }

  /** Lets nobody in any more and closes those who are there. */
  Future<Void> close() {
    closed = true;
    List<Future<Void>> ends = atWork.keySet().stream().map(QueueWorker::close).toList();
    Future<?> ended = ends.isEmpty() ? Callers.succeeded(vertx, null) : Future.join(ends);
    return ended.transform(done -> meters.close());
  }
}
