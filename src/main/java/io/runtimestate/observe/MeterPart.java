package io.runtimestate.observe;

import io.runtimestate.operation.OperationCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * What one runtime contributes to one meter.
 *
 * @param amount the number, or the count of calls
 * @param nanos the time those calls took; used by timers only
 */
record MeterPart(MeterId id, DoubleSupplier amount, DoubleSupplier nanos) {
  static final DoubleSupplier NO_TIME = () -> 0;

  /** Everything a runtime has to show: a fixed number of parts, whatever it is used for. */
  static List<MeterPart> of(StatisticsBackend runtime) {
    List<MeterPart> parts = new ArrayList<>();
    String backend = runtime.description().kind().word();
    OperationCatalog.all().forEach(type -> timers(parts, runtime.counters(type), backend));
    Map<String, Long> figures = runtime.figures();
    FigureMeters.ALL.forEach(
        (figure, id) -> {
          if (figures.containsKey(figure)) {
            parts.add(new MeterPart(id, () -> figure(runtime, figure), NO_TIME));
          }
        });
    return parts;
  }

  private static void timers(List<MeterPart> parts, OperationCounters counters, String backend) {
    for (int outcome = 0; outcome < Outcome.COUNT; outcome++) {
      Tally tally = counters.tally(outcome);
      parts.add(
          new MeterPart(
              MeterId.timer(
                  "runtime_state_operations",
                  "operation",
                  counters.name(),
                  "backend",
                  backend,
                  "outcome",
                  Outcome.word(outcome)),
              tally::calls,
              tally::nanos));
    }
  }

  private static double figure(StatisticsBackend runtime, String name) {
    return runtime.figures().getOrDefault(name, 0L);
  }
}
