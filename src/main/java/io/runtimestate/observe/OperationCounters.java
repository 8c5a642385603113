package io.runtimestate.observe;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.OperationStatistics;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.LatencyHistogram;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** What became of the calls of one operation; any thread may count. */
final class OperationCounters {
  static final long NOT_MEASURED = -1;
  private static final int SAMPLE_ONE_IN = 16;

  private final OperationType type;
  private final Tally[] tallies =
      Stream.generate(Tally::new).limit(Outcome.COUNT).toArray(Tally[]::new);
  private final LatencyHistogram latency = new LatencyHistogram();
  private int calls; // racy on purpose: it only spreads the samples

  OperationCounters(OperationType type) {
    this.type = type;
  }

  /** Whether the next call is to be measured even if it is answered at once. */
  boolean sample() {
    return calls++ % SAMPLE_ONE_IN == 0;
  }

  void finished(Object result, Throwable failure, long nanos) {
    Tally tally = tallies[Outcome.of(type, result, failure)];
    tally.count();
    if (nanos != NOT_MEASURED) {
      tally.measured(nanos);
      latency.record(nanos);
    }
  }

  String name() {
    return type.name();
  }

  /** The calls that came to an {@link Outcome}. */
  Tally tally(int outcome) {
    return tallies[outcome];
  }

  long count() {
    return Arrays.stream(tallies).mapToLong(Tally::calls).sum();
  }

  OperationStatistics snapshot() {
    Map<FailureCode, Long> failed = new EnumMap<>(FailureCode.class);
    for (FailureCode code : FailureCode.values()) {
      failed.put(code, tally(Outcome.of(code)).calls());
    }
    failed.values().removeIf(count -> count == 0);
    return new OperationStatistics(
        count(), tally(Outcome.REJECTED).calls(), failed, latency.snapshot());
  }
}
