package io.runtimestate.observe;

import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.spi.metrics.VertxMetrics;

/**
 * A runtime's numbers in the Micrometer registry that its Vert.x instance reports to, from open to
 * close. Without such a registry, or without Micrometer on the class path, it is bound to nothing.
 *
 * <p>Nothing here may fail a runtime: what a registry throws is logged, once for each binding. And
 * nothing may hold an event loop: registries take their time over hundreds of meters, so a worker
 * registers and removes them.
 *
 * <p>This class names no class of Micrometer, so that it can be loaded without it.
 */
public final class MetricsBinding {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsBinding.class);
  private static final String MICROMETER = "io.vertx.micrometer.";
  private static final Runnable NOTHING = () -> {};

  private final Vertx vertx;
  private final Future<Runnable> bound;

  private MetricsBinding(Vertx vertx, Future<Runnable> bound) {
    this.vertx = vertx;
    this.bound = bound;
  }

  /** Begins to show these numbers wherever the Vert.x instance shows its own. */
  public static MetricsBinding bind(Vertx vertx, StatisticsBackend statistics) {
    VertxMetrics metrics = ((VertxInternal) vertx).metrics();
    boolean shown = metrics != null && metrics.getClass().getName().startsWith(MICROMETER);
    return new MetricsBinding(
        vertx,
        shown
            ? vertx.executeBlocking(() -> meters(metrics, statistics), false)
            : Callers.succeeded(vertx, NOTHING));
  }

  private static Runnable meters(VertxMetrics metrics, StatisticsBackend statistics) {
    try {
      return MicrometerMeters.bind(metrics, statistics, MetricsBinding::report);
    } catch (RuntimeException | LinkageError failure) {
      report(failure);
      return NOTHING;
    }
  }

  private static void report(Throwable failure) {
    LOG.warn("metrics are incomplete: " + failure);
  }

  /** Completes when the meters are there, or never will be; does not fail. */
  public Future<Void> bound() {
    return bound.<Void>mapEmpty().otherwiseEmpty();
  }

  /** Removes what was bound; idempotent, does not fail. */
  public Future<Void> close() {
    return bound.compose(this::removed).otherwiseEmpty();
  }

  private Future<Void> removed(Runnable unbind) {
    return unbind == NOTHING
        ? bound.mapEmpty()
        : vertx.<Void>executeBlocking(() -> done(unbind), false).recover(refused -> now(unbind));
  }

  /** Vert.x has no workers any more; then holding a loop hurts nobody. */
  private Future<Void> now(Runnable unbind) {
    done(unbind);
    return bound.mapEmpty();
  }

  private static Void done(Runnable unbind) {
    unbind.run();
    return null;
  }
}
