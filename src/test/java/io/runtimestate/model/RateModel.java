package io.runtimestate.model;

import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.operation.RateOperation.Consume;
import io.runtimestate.operation.RateOperation.Count;
import io.runtimestate.operation.RateOperation.Refund;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counters of fixed buckets word for word: try it on a copy, keep the copy if it was admitted. */
final class RateModel {
  private Map<List<Object>, Long> counts = new HashMap<>();

  RateDecision consume(Consume consume) {
    Optional<Duration> end = consume.window().map(window -> Duration.ofMillis(1));
    Map<List<Object>, Long> charged = new HashMap<>(counts);
    for (RateScope scope : consume.scopes()) {
      if (scope.limit() > 0) {
        long count = charged.merge(counter(scope, consume.bucket()), consume.cost(), Long::sum);
        if (count > scope.limit()) {
          return new RateDecision.Rejected(scope.name(), scope.limit(), end);
        }
      }
    }
    counts = charged;
    long remaining = 0;
    long limit = 0;
    for (RateScope scope : consume.scopes()) {
      long left = scope.limit() - charged.getOrDefault(counter(scope, consume.bucket()), 0L);
      if (scope.limit() > 0 && (limit == 0 || Math.max(0, left) < remaining)) {
        remaining = Math.max(0, left);
        limit = scope.limit();
      }
    }
    return new RateDecision.Allowed(remaining, limit, end);
  }

  Void refund(Refund refund) {
    for (RateScope scope : refund.scopes()) {
      if (scope.limit() > 0) {
        counts.computeIfPresent(
            counter(scope, refund.bucket()), (key, count) -> Math.max(0, count - refund.cost()));
      }
    }
    return null;
  }

  Long count(Count count) {
    return counts.getOrDefault(List.<Object>of(count.key(), count.bucket()), 0L);
  }

  private static List<Object> counter(RateScope scope, long bucket) {
    return List.of(scope.key(), bucket);
  }
}
