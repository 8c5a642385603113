package io.runtimestate.operation;

import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.data.UsageRule;
import java.util.List;
import java.util.OptionalLong;

/**
 * Operations on usage limits: exact sliding windows, several at once, idempotent by event id.
 *
 * @param <R> the result
 */
public sealed interface UsageOperation<R> extends Operation<R> {

  /** The most rules or keys of one call. */
  int MAX_RULES = 64;

  /**
   * Counts an event in every window, or in none. An event that is counted already costs nothing.
   *
   * @param rules at most 64 with distinct keys that share one non-empty {@code {tag}}; without
   *     rules everything is admitted and nothing else is looked at
   * @param now unix time in milliseconds, 0 to 2<sup>53</sup>−1; absent: backend time
   */
  record Consume(List<UsageRule> rules, String eventId, OptionalLong now)
      implements UsageOperation<UsageDecision> {
    /** Checks and copies the arguments. */
    public Consume {
      now = now == null ? OptionalLong.empty() : now;
      rules = UsageChecks.rules(this, rules, now);
      eventId = UsageChecks.eventId(this, eventId, rules);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** What {@link Consume} with the same input would find; changes nothing. */
  record Peek(List<UsageRule> rules, String eventId, OptionalLong now)
      implements UsageOperation<List<UsagePeek>> {
    /** Checks and copies the arguments. */
    public Peek {
      now = now == null ? OptionalLong.empty() : now;
      rules = UsageChecks.rules(this, rules, now);
      eventId = UsageChecks.eventId(this, eventId, rules);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Removes an event from every listed window.
   *
   * @param keys at most 64, distinct, sharing one non-empty {@code {tag}}; may be empty
   */
  record Release(List<String> keys, String eventId) implements UsageOperation<Void> {
    /** Checks and copies the arguments. */
    public Release {
      keys = UsageChecks.keys(this, keys);
      eventId = UsageChecks.eventId(this, eventId, keys);
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
