package io.runtimestate.eventbus;

import io.runtimestate.config.BusScope;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A door that is reachable at one event-bus address per operation, until it is closed. */
public final class StateService {
  private final Vertx vertx;
  private final Exposure exposure;
  private final List<MessageConsumer<Object>> consumers = new ArrayList<>();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Promise<Void> closed;

  private StateService(Vertx vertx, Exposure exposure) {
    this.vertx = vertx;
    this.exposure = exposure;
    this.closed = Callers.promise(vertx);
  }

  /**
   * Registers the addresses on the caller's context, where messages will be served.
   *
   * @param base what the addresses begin with; free in this Vert.x instance, else the future fails
   *     with INVALID_CONFIGURATION
   * @return completes when every address is registered
   */
  public static Future<StateService> expose(
      Vertx vertx, StateBackend door, String base, BusScope scope) {
    Promise<StateService> exposed = Callers.promise(vertx);
    try {
      String[] addresses = Addresses.under(base);
      StateService service = new StateService(vertx, Exposure.take(vertx, base));
      service.register(door, addresses, scope).onComplete(exposed);
    } catch (RuntimeStateException refused) {
      exposed.fail(refused);
    }
    return exposed.future();
  }

  /**
   * Removes the addresses and frees the base. Calls being served are still answered.
   *
   * @return completes, never with a failure, when every address is gone
   */
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      exposure.serving(false);
      unregister();
    }
    Promise<Void> mine = Callers.promise(vertx);
    closed.future().onComplete(mine);
    return mine.future();
  }

  private Future<StateService> register(StateBackend door, String[] addresses, BusScope scope) {
    ByReference.register(vertx);
    Promise<StateService> registered = Callers.promise(vertx);
    try {
      for (OperationType type : OperationCatalog.all()) {
        consumers.add(consumer(addresses[type.ordinal()], scope));
        consumers.get(type.ordinal()).handler(new OperationConsumer(door, type));
      }
      Future.join(consumers.stream().map(MessageConsumer::completion).toList())
          .onSuccess(all -> succeed(registered))
          .onFailure(failure -> abandon(registered, failure));
    } catch (RuntimeException failure) {
      abandon(registered, failure);
    }
    return registered.future();
  }

  private MessageConsumer<Object> consumer(String address, BusScope scope) {
    EventBus bus = vertx.eventBus();
    return scope == BusScope.LOCAL ? bus.localConsumer(address) : bus.consumer(address);
  }

  private void succeed(Promise<StateService> registered) {
    exposure.serving(true);
    registered.complete(this);
  }

  private void abandon(Promise<StateService> registered, Throwable failure) {
    RuntimeStateException unavailable =
        new RuntimeStateException(
            FailureCode.UNAVAILABLE, "the addresses could not be registered", false, failure);
    close().onComplete(done -> registered.fail(unavailable));
  }

  private void unregister() {
    Future.join(consumers.stream().map(MessageConsumer::unregister).toList())
        .onComplete(
            done -> {
              exposure.free();
              closed.complete();
            });
  }
}
