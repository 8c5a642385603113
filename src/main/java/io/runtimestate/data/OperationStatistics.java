package io.runtimestate.data;

import java.util.Map;

/**
 * What became of one kind of operation since the runtime was opened.
 *
 * @param count all finished calls: successes, refusals and failures
 * @param rejected calls that were refused
 * @param failures failed calls by code; codes that never occurred are left out
 * @param latency of every call that waited; calls answered at once may be sampled
 */
public record OperationStatistics(
    long count, long rejected, Map<FailureCode, Long> failures, Latency latency) {
  /** Copies the map. */
  public OperationStatistics {
    failures = Map.copyOf(failures);
  }
}
