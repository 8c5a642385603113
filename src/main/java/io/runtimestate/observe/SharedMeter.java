package io.runtimestate.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * A meter that shows the sum over all runtimes of its registry: tags tell operations apart, but not
 * runtimes.
 *
 * <p>A count must not fall while its meter exists, or a scraper would take it for a restart and
 * count the rest again. So what a closed runtime had counted stays until the last one has gone.
 */
final class SharedMeter {
  private final MeterId id;
  private final List<MeterPart> parts = new ArrayList<>();
  private double retiredAmount;
  private double retiredNanos;
  private Meter meter;

  SharedMeter(MeterId id) {
    this.id = id;
  }

  /** Adds a runtime; true if it is the first. */
  synchronized boolean add(MeterPart part) {
    parts.add(part);
    return parts.size() == 1;
  }

  /** Takes a runtime out; true if it was the last. */
  synchronized boolean remove(MeterPart part) {
    if (!parts.remove(part)) {
      return false;
    }
    if (id.form() != MeterId.Form.GAUGE) {
      retiredAmount += part.amount().getAsDouble();
      retiredNanos += part.nanos().getAsDouble();
    }
    return parts.isEmpty();
  }

  void register(MeterRegistry registry) {
    meter =
        switch (id.form()) {
          case TIMER -> timer().register(registry);
          case COUNTER ->
              FunctionCounter.builder(id.name(), this, SharedMeter::amount)
                  .tags(id.tags())
                  .register(registry);
          case GAUGE ->
              Gauge.builder(id.name(), this, SharedMeter::amount)
                  .tags(id.tags())
                  .register(registry);
        };
  }

  void unregister(MeterRegistry registry) {
    if (meter != null) {
      registry.remove(meter);
    }
  }

  private FunctionTimer.Builder<SharedMeter> timer() {
    return FunctionTimer.builder(
            id.name(), this, SharedMeter::calls, SharedMeter::nanos, TimeUnit.NANOSECONDS)
        .tags(id.tags());
  }

  private synchronized double amount() {
    return retiredAmount + sum(part -> part.amount().getAsDouble());
  }

  private long calls() {
    return (long) amount();
  }

  private synchronized double nanos() {
    return retiredNanos + sum(part -> part.nanos().getAsDouble());
  }

  private double sum(ToDoubleFunction<MeterPart> number) {
    return parts.stream().mapToDouble(number).sum();
  }
}
