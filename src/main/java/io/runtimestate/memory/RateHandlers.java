package io.runtimestate.memory;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.TokenDecision;
import io.runtimestate.memory.table.RateCounters;
import io.runtimestate.memory.table.TokenBuckets;
import io.runtimestate.operation.RateOperation.Consume;
import io.runtimestate.operation.RateOperation.Count;
import io.runtimestate.operation.RateOperation.Refund;
import io.runtimestate.operation.RateOperation.TokenBucket;
import io.runtimestate.spi.HashSlots;
import java.time.Duration;
import java.util.List;

/** Rate limits in memory. */
final class RateHandlers {
  private final RateCounters counters;
  private final TokenBuckets buckets;
  private final MemoryClock clock;
  private final boolean enforceSlots;
  private final String prefix;

  RateHandlers(Store store, RuntimeStateOptions options) {
    this.counters = store.counters;
    this.buckets = store.buckets;
    this.clock = store.clock;
    this.enforceSlots = options.isEnforceSlots();
    this.prefix = options.effectiveKeyPrefix().text();
  }

  void register(Owner owner) {
    owner.on(Consume.class, this::consume);
    owner.on(Count.class, count -> counters.count(count.key(), count.bucket()));
    owner.on(Refund.class, this::refund);
    owner.on(TokenBucket.class, this::tokenBucket);
  }

  private RateDecision consume(Consume consume) {
    requireSlot(consume.scopes(), consume.bucket());
    return counters.consume(
        consume.scopes(),
        consume.bucket(),
        consume.cost(),
        clock.deadline(consume.ttl()),
        consume.window().map(window -> untilEnd(consume.bucket(), window)));
  }

  private Duration untilEnd(long bucket, Duration window) {
    long end = (bucket + 1) * window.toMillis();
    return Duration.ofMillis(Math.max(1, end - clock.unixNow()));
  }

  private Void refund(Refund refund) {
    requireSlot(refund.scopes(), refund.bucket());
    counters.refund(refund.scopes(), refund.bucket(), refund.cost());
    return null;
  }

  private void requireSlot(List<RateScope> scopes, long bucket) {
    if (enforceSlots && !HashSlots.isOne(physicalKeys(scopes, bucket))) {
      throw new RuntimeStateException(FailureCode.CROSS_SLOT, "put a common {tag} into the keys");
    }
  }

  /** The keys that Redis would use, since a key without a tag is hashed whole. */
  private List<String> physicalKeys(List<RateScope> scopes, long bucket) {
    return scopes.stream()
        .filter(RateScope::isLimited)
        .map(scope -> prefix + ":rl:" + bucket + ":" + scope.key())
        .toList();
  }

  private TokenDecision tokenBucket(TokenBucket take) {
    return buckets.take(
        take.key(),
        take.capacity(),
        take.refillTokens(),
        take.refillPeriod().toMillis(),
        take.tokens(),
        clock.unixNow(),
        clock::after);
  }
}
