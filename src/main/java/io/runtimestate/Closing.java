package io.runtimestate;

import io.runtimestate.eventbus.StateService;
import io.runtimestate.observe.MetricsBinding;
import io.runtimestate.spi.Callers;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * How a runtime ends, whoever asks for it: its user, the undeployment of the verticle it was opened
 * in, or the end of its Vertx. All of them get the same one future.
 */
final class Closing implements Closeable {
  private final Vertx vertx;
  private final Gate gate;
  private final AtomicReference<Promise<Void>> ending = new AtomicReference<>();
  private final List<Supplier<Future<Void>>> steps = new CopyOnWriteArrayList<>();
  private volatile StateService service;
  private volatile MetricsBinding metrics;
  private volatile CloseFuture tie;

  Closing(Vertx vertx, Gate gate) {
    this.vertx = vertx;
    this.gate = gate;
  }

  /** Ends with whatever the context belongs to, at once if that has ended meanwhile. */
  void tieTo(ContextInternal context) {
    tie = context.closeFuture();
    if (!tie.add(this)) {
      close();
    }
  }

  /** Takes the addresses that must go with the runtime. */
  Void serve(StateService exposed) {
    service = exposed;
    return null;
  }

  /** Takes a step to do before addresses and connections go; steps are done in the order taken. */
  void first(Supplier<Future<Void>> step) {
    steps.add(step);
  }

  /** Takes the meters that must go with the runtime. */
  void measure(MetricsBinding binding) {
    metrics = binding;
  }

  /** Completes when the meters are there; does not fail. */
  Future<Void> metricsBound() {
    return metrics.bound();
  }

  Future<Void> close() {
    Promise<Void> mine = Callers.promise(vertx);
    if (ending.compareAndSet(null, mine)) {
      end().onComplete(ended -> mine.complete());
      return mine.future();
    }
    Future<Void> ended = ending.get().future();
    if (ended.isComplete()) { // maybe with its Vertx, whose contexts run nothing any more
      return Callers.succeeded(vertx, null);
    }
    ended.onComplete(mine);
    return mine.future();
  }

  @Override
  public void close(Completable<Void> completion) {
    close().onComplete(completion);
  }

  private Future<Void> end() {
    gate.shut();
    if (tie != null) {
      tie.remove(this);
    }
    Future<Void> done = Callers.succeeded(vertx, null);
    for (Supplier<Future<Void>> step : steps) {
      done = done.transform(before -> step.get());
    }
    return done.transform(stepped -> withdraw())
        .transform(withdrawn -> gate.close())
        .transform(closed -> unmeasured());
  }

  private Future<Void> unmeasured() {
    return metrics == null ? Callers.succeeded(vertx, null) : metrics.close();
  }

  private Future<Void> withdraw() {
    return service == null ? Callers.succeeded(vertx, null) : service.close();
  }
}
