package io.runtimestate;

import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.data.UsageRule;
import io.runtimestate.operation.UsageOperation;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalLong;

/**
 * Usage limits: exact sliding windows, several rules at once, idempotent by event id.
 *
 * <p>Every rule has a window of its own, named by its key; the keys of one call share one non-empty
 * {@code {tag}}. An event counts in every window of its call or in none, and a replay of an
 * admitted event is free. Timestamps live on the callers' {@code now}, which may go back; without
 * it they are backend time. Something that changes the meaning of a window should change its key. A
 * refusal is a result, not a failure. In memory, a call that finds no room for its windows or
 * events fails {@code CAPACITY_EXHAUSTED}.
 */
public final class UsageLimits {
  private final Door door;

  UsageLimits(Door door) {
    this.door = door;
  }

  /** Counts an event at backend time. */
  public Future<UsageDecision> consume(List<UsageRule> rules, String eventId) {
    return door.call(() -> new UsageOperation.Consume(rules, eventId, OptionalLong.empty()));
  }

  /**
   * Counts an event in every window, or in none. Events older than a rule's window are removed
   * first, also when the call is then refused.
   *
   * @param rules at most 64 with distinct keys; without rules everything is admitted
   * @param eventId not blank
   * @param now unix time in milliseconds, 0 to 2<sup>53</sup>−1
   */
  public Future<UsageDecision> consume(List<UsageRule> rules, String eventId, long now) {
    return door.call(() -> new UsageOperation.Consume(rules, eventId, OptionalLong.of(now)));
  }

  /** What counting an event at backend time would find; see {@link #peek(List, String, long)}. */
  public Future<List<UsagePeek>> peek(List<UsageRule> rules, String eventId) {
    return door.call(() -> new UsageOperation.Peek(rules, eventId, OptionalLong.empty()));
  }

  /**
   * What counting an event would find, one answer for each rule; changes nothing. It would be
   * admitted if no answer has a {@code retryAfter}.
   */
  public Future<List<UsagePeek>> peek(List<UsageRule> rules, String eventId, long now) {
    return door.call(() -> new UsageOperation.Peek(rules, eventId, OptionalLong.of(now)));
  }

  /** Takes an event out of the windows of these rules. */
  public Future<Void> release(List<UsageRule> rules, String eventId) {
    return releaseKeys(
        rules == null ? null : rules.stream().map(UsageLimits::keyOf).toList(), eventId);
  }

  /** Takes an event out of these windows; a window or event that is not there is fine. */
  public Future<Void> releaseKeys(List<String> keys, String eventId) {
    return door.call(() -> new UsageOperation.Release(keys, eventId));
  }

  private static String keyOf(UsageRule rule) {
    return rule == null ? null : rule.key();
  }
}
