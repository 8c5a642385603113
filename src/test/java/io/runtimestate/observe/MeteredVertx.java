package io.runtimestate.observe;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.List;
import java.util.UUID;

/** A Vert.x instance that reports to a registry of the test's own. */
final class MeteredVertx implements AutoCloseable {
  private final MeterRegistry registry;
  private final Vertx vertx;

  MeteredVertx(MeterRegistry registry) {
    this.registry = registry;
    MicrometerMetricsOptions options =
        new MicrometerMetricsOptions()
            .setEnabled(true)
            .setRegistryName(UUID.randomUUID().toString());
    for (MetricsDomain domain : MetricsDomain.values()) {
      options.addDisabledMetricsCategory(domain); // what Vert.x itself measures
    }
    this.vertx =
        Vertx.builder()
            .withMetrics(new MicrometerMetricsFactory(registry))
            .with(new VertxOptions().setMetricsOptions(options))
            .build();
  }

  RuntimeState open(RuntimeStateOptions options) {
    return Await.get(RuntimeState.open(vertx, options));
  }

  /** The meters of this library. */
  List<Meter> meters() {
    return registry.getMeters().stream()
        .filter(meter -> meter.getId().getName().startsWith("runtime_state_"))
        .toList();
  }

  FunctionTimer timer(String operation, String outcome) {
    return registry
        .get("runtime_state_operations")
        .tags("operation", operation, "outcome", outcome)
        .functionTimer();
  }

  /** All calls of all operations with all outcomes. */
  double calls() {
    return registry.get("runtime_state_operations").functionTimers().stream()
        .mapToDouble(FunctionTimer::count)
        .sum();
  }

  double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  double counter(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    Await.get(vertx.close());
  }
}
