package io.runtimestate.node;

import io.runtimestate.RuntimeState;
import io.vertx.core.Future;

/** A worker in this process, over the addresses of the node. */
final class LocalWorker implements CrewMember {
  private final Future<RequestWorker> started;

  LocalWorker(Future<RuntimeState> connected, WorkOrder order) {
    this.started =
        connected
            .map(state -> new RequestWorker(state, order, () -> {}))
            .compose(worker -> worker.start().map(worker));
  }

  @Override
  public void awaitReady() {
    Waiting.on(started);
  }

  @Override
  public boolean isAlive() {
    return true;
  }

  @Override
  public void close() {
    if (started.succeeded()) {
      Waiting.on(started.result().close());
    }
  }
}
