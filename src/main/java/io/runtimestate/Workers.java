package io.runtimestate;

import io.runtimestate.spi.Callers;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.WorkerRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The workers of a runtime that are at work; any thread. */
final class Workers implements WorkerRegistry {
  private final Vertx vertx;
  private final Set<QueueWorker> atWork = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Workers(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public boolean enter(QueueWorker worker) {
    atWork.add(worker);
    if (closed) { // asked after adding: close() ends what it finds
      atWork.remove(worker);
    }
    return !closed;
  }

  @Override
  public void leave(QueueWorker worker) {
    atWork.remove(worker);
  }

  /** Lets nobody in any more and closes those who are there. */
  Future<Void> close() {
    closed = true;
    List<Future<Void>> ends = atWork.stream().map(QueueWorker::close).toList();
    return ends.isEmpty() ? Callers.succeeded(vertx, null) : Future.join(ends).mapEmpty();
  }
}
