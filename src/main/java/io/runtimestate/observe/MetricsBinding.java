package io.runtimestate.observe;

import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.List;
import java.util.function.Supplier;

/**
 * Numbers of a runtime or of its workers in the Micrometer registry that its Vert.x instance
 * reports to, from open to close. Without such a registry, or without Micrometer on the class path,
 * it is bound to nothing.
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
    return bind(vertx, () -> MeterPart.of(statistics));
  }

  /** The same with parts of the caller's choice, asked for if they are shown. */
  static MetricsBinding bind(Vertx vertx, Supplier<List<MeterPart>> parts) {
    return new MetricsBinding(vertx, shown(vertx, parts));
  }

  /** Shows further parts, after these were bound. */
  MetricsBinding then(Supplier<List<MeterPart>> parts) {
    return new MetricsBinding(vertx, bound.transform(before -> shown(vertx, parts)));
  }

  private static Future<Runnable> shown(Vertx vertx, Supplier<List<MeterPart>> parts) {
    VertxMetrics metrics = ((VertxInternal) vertx).metrics();
    return metrics != null && metrics.getClass().getName().startsWith(MICROMETER)
        ? vertx.executeBlocking(() -> meters(metrics, parts), false)
        : Callers.succeeded(vertx, NOTHING);
  }

  private static Runnable meters(VertxMetrics metrics, Supplier<List<MeterPart>> parts) {
    try {
      return MicrometerMeters.bind(metrics, parts, MetricsBinding::report);
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
