package io.runtimestate;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;

/**
 * One runtime per Vertx and base address for any number of verticles: opened by the first on a
 * context of its own, closed with the last. The count lives in a local map, whose {@code compute}
 * is atomic.
 */
final class SharedRuntime implements Shareable {
  private static final String MAP = "io.runtimestate.shared";

  private final RuntimeStateOptions options;
  private final Promise<RuntimeState> opened;
  private final int users;

  private SharedRuntime(RuntimeStateOptions options, Promise<RuntimeState> opened, int users) {
    this.options = options;
    this.opened = opened;
    this.users = users;
  }

  /** One verticle's part in a shared runtime. */
  interface Share {
    /** The runtime, once it is open. */
    Future<RuntimeState> runtime();

    /** Gives the part back; the last one closes the runtime. */
    Future<Void> leave();
  }

  static Share join(Vertx vertx, RuntimeStateOptions options) {
    String base = options.getEventBus().getBase();
    Promise<RuntimeState> promise = ((VertxInternal) vertx).promise();
    SharedRuntime joined =
        map(vertx).compute(base, (key, now) -> joined(vertx, now, options, promise));
    if (joined.opened == promise) {
      open(vertx, options, promise);
    }
    return new Part(vertx, base, joined.opened);
  }

  private static SharedRuntime joined(
      Vertx vertx, SharedRuntime now, RuntimeStateOptions options, Promise<RuntimeState> promise) {
    if (now == null) {
      return new SharedRuntime(options, promise, 1);
    }
    if (!now.options.equals(options)) {
      throw new RuntimeStateException(
          FailureCode.INVALID_CONFIGURATION,
          "eventBus.base is served by a verticle with other options");
    }
    return new SharedRuntime(now.options, now.opened, now.users + 1);
  }

  /** On a context that belongs to no verticle, since the first may leave before the others. */
  private static void open(
      Vertx vertx, RuntimeStateOptions options, Promise<RuntimeState> promise) {
    ((VertxInternal) vertx)
        .createEventLoopContext()
        .runOnContext(ignored -> RuntimeState.open(vertx, options).onComplete(promise));
  }

  private record Part(Vertx vertx, String base, Promise<RuntimeState> opened) implements Share {
    @Override
    public Future<RuntimeState> runtime() {
      return opened.future();
    }

    @Override
    public Future<Void> leave() {
      boolean[] last = {false};
      map(vertx)
          .computeIfPresent(
              base,
              (key, now) -> {
                last[0] = now.opened == opened && now.users == 1;
                return last[0] ? null : now.opened == opened ? now.withoutOne() : now;
              });
      return last[0]
          ? runtime().compose(RuntimeState::close).otherwiseEmpty() // never opened: nothing to do
          : Callers.succeeded(vertx, null);
    }
  }

  private SharedRuntime withoutOne() {
    return new SharedRuntime(options, opened, users - 1);
  }

  private static LocalMap<String, SharedRuntime> map(Vertx vertx) {
    return vertx.sharedData().getLocalMap(MAP);
  }
}
