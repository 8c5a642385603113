package io.runtimestate;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/**
 * Opens the runtime that its configuration describes and serves it on the event bus.
 *
 * <p>The configuration is the JSON of {@link RuntimeStateOptions}; {@code eventBus.expose} is
 * implied. However many instances are deployed with one base address, in one deployment or several,
 * they share one runtime, which ends with the last of them.
 */
public final class RuntimeStateVerticle extends VerticleBase {
  private SharedRuntime.Share share;

  /** For deployment by name or with a supplier. */
  public RuntimeStateVerticle() {}

  @Override
  public Future<?> start() {
    RuntimeStateOptions options = new RuntimeStateOptions(config());
    options.getEventBus().setExpose(true);
    share = SharedRuntime.join(vertx, options);
    return share
        .runtime()
        .recover(failure -> share.leave().transform(left -> Callers.failed(vertx, failure)));
  }

  @Override
  public Future<?> stop() {
    return share.leave();
  }
}
