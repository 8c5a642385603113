package io.runtimestate.memory.table;

import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The counters of fixed buckets: one for each key and bucket, whatever a scope is called. */
public final class RateCounters {
  private final ControlTable<RateCounter> counters;

  /** The counters of an empty table. */
  public RateCounters(ControlTable<RateCounter> counters) {
    this.counters = counters;
  }

  /** How much a key was charged in a bucket. */
  public long count(String key, long bucket) {
    return count(counters.find(name(key, bucket)));
  }

  /**
   * Charges every limited scope, or none of them.
   *
   * @param deadline of the counters that this call creates
   * @param end time until the bucket ends, if the answer is to say so
   */
  public RateDecision consume(
      List<RateScope> scopes, long bucket, long cost, long deadline, Optional<Duration> end) {
    for (int i = 0; i < scopes.size(); i++) {
      RateScope scope = scopes.get(i);
      if (scope.isLimited() && !hasRoom(scopes, i, bucket, cost)) {
        return new RateDecision.Rejected(scope.name(), scope.limit(), end);
      }
    }
    requireBytes(scopes, bucket);
    for (RateScope scope : scopes) {
      if (scope.isLimited()) {
        findOrCreate(name(scope.key(), bucket), deadline).add(cost);
      }
    }
    return allowed(scopes, bucket, end);
  }

  /** Lowers the counter of every limited scope, once for each scope, never below 0. */
  public void refund(List<RateScope> scopes, long bucket, long cost) {
    for (RateScope scope : scopes) {
      RateCounter counter = scope.isLimited() ? counters.find(name(scope.key(), bucket)) : null;
      if (counter != null) {
        counter.subtract(cost);
      }
    }
  }

  /** A key that earlier scopes of the call charge too must have room for all of them. */
  private boolean hasRoom(List<RateScope> scopes, int index, long bucket, long cost) {
    RateScope scope = scopes.get(index);
    long charges = 1;
    for (int i = 0; i < index; i++) {
      RateScope earlier = scopes.get(i);
      charges += earlier.isLimited() && earlier.key().equals(scope.key()) ? 1 : 0;
    }
    return count(scope.key(), bucket) <= scope.limit() - cost * charges;
  }

  private void requireBytes(List<RateScope> scopes, long bucket) {
    long growth = 0;
    for (RateScope scope : scopes) {
      String name = name(scope.key(), bucket);
      growth += scope.isLimited() && counters.find(name) == null ? RateCounter.bytesOf(name) : 0;
    }
    counters.budget().require(growth);
  }

  private RateCounter findOrCreate(String name, long deadline) {
    RateCounter counter = counters.find(name);
    if (counter == null) {
      counter = new RateCounter(counters, name);
      counters.add(counter);
      counters.schedule(counter, deadline);
    }
    return counter;
  }

  private RateDecision allowed(List<RateScope> scopes, long bucket, Optional<Duration> end) {
    RateScope tightest = null;
    long least = 0;
    for (RateScope scope : scopes) {
      if (scope.isLimited()) {
        long left = Math.max(0, scope.limit() - count(scope.key(), bucket));
        if (tightest == null || left < least) {
          tightest = scope;
          least = left;
        }
      }
    }
    return new RateDecision.Allowed(least, tightest == null ? 0 : tightest.limit(), end);
  }

  private static long count(RateCounter counter) {
    return counter == null ? 0 : counter.count();
  }

  private static String name(String key, long bucket) {
    return bucket + ":" + key;
  }
}
