package io.runtimestate.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.micrometer.backends.BackendRegistries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The meters of one registry, shared by all runtimes that report to it. Only opening and closing
 * come here, never an operation; the class lock guards everything.
 */
final class MicrometerMeters {
  private static final Map<MeterRegistry, MicrometerMeters> OPEN = new HashMap<>();

  private final MeterRegistry registry;
  private final Map<MeterId, SharedMeter> meters = new HashMap<>();

  private MicrometerMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Adds parts to the meters of the registry that these metrics go to.
   *
   * @param found asked for the parts if there is such a registry
   * @param failed told the first failure of the registry, if there is one
   * @return takes the parts out again; idempotent
   */
  static Runnable bind(
      VertxMetrics metrics,
      Supplier<List<MeterPart>> found,
      Consumer<? super RuntimeException> failed) {
    MeterRegistry registry = registryOf(metrics);
    if (registry == null) {
      return () -> {};
    }
    List<MeterPart> parts = found.get();
    Tolerance tolerance = new Tolerance(failed);
    synchronized (OPEN) {
      OPEN.computeIfAbsent(registry, MicrometerMeters::new).join(parts, tolerance);
    }
    return () -> leave(registry, parts, tolerance);
  }

  /**
   * The registry of exactly this Vert.x instance. The method that tells it is public, but its
   * package is not exported: on the module path only the registry of the default name is found.
   */
  private static MeterRegistry registryOf(VertxMetrics metrics) {
    try {
      return (MeterRegistry) metrics.getClass().getMethod("registry").invoke(metrics);
    } catch (ReflectiveOperationException hidden) {
      return BackendRegistries.getDefaultNow();
    }
  }

  private static void leave(MeterRegistry registry, List<MeterPart> parts, Tolerance tolerance) {
    synchronized (OPEN) {
      MicrometerMeters shared = OPEN.get(registry);
      if (shared != null && shared.leave(parts, tolerance)) {
        OPEN.remove(registry);
      }
    }
  }

  private void join(List<MeterPart> parts, Tolerance tolerance) {
    for (MeterPart part : parts) {
      SharedMeter meter = meters.computeIfAbsent(part.id(), SharedMeter::new);
      if (meter.add(part)) {
        tolerance.run(() -> meter.register(registry));
      }
    }
  }

  /** Whether nobody is left. */
  private boolean leave(List<MeterPart> parts, Tolerance tolerance) {
    for (MeterPart part : parts) {
      SharedMeter meter = meters.get(part.id());
      if (meter != null && meter.remove(part)) {
        meters.remove(part.id());
        tolerance.run(() -> meter.unregister(registry));
      }
    }
    return meters.isEmpty();
  }

  /** Goes on after a failure, since one meter must not cost another, and tells only the first. */
  private static final class Tolerance {
    private final Consumer<? super RuntimeException> first;
    private boolean told;

    Tolerance(Consumer<? super RuntimeException> first) {
      this.first = first;
    }

    void run(Runnable step) {
      try {
        step.run();
      } catch (RuntimeException failure) {
        if (!told) {
          first.accept(failure);
        }
        told = true;
      }
    }
  }
}
