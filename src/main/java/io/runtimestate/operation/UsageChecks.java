package io.runtimestate.operation;

import io.runtimestate.data.UsageRule;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** The argument rules of usage limits. */
final class UsageChecks {
  private UsageChecks() {}

  static List<UsageRule> rules(Operation<?> operation, List<UsageRule> rules, OptionalLong now) {
    Keys keys = new Keys(operation);
    List<UsageRule> copy =
        Checks.list(
            operation,
            "rules",
            rules,
            UsageOperation.MAX_RULES,
            (op, at, rule) -> rule(op, at, rule, now, keys));
    if (!copy.isEmpty() && now.isPresent()) {
      Checks.within(operation, "now", now.getAsLong(), 0, Checks.MAX_EXACT);
    }
    return copy;
  }

  static List<String> keys(Operation<?> operation, List<String> given) {
    Keys keys = new Keys(operation);
    return Checks.list(
        operation,
        "keys",
        given,
        UsageOperation.MAX_RULES,
        (op, at, key) -> {
          keys.check(at, key);
          return key;
        });
  }

  /** Without rules or keys nothing is asked of the event id, not even that there is one. */
  static String eventId(Operation<?> operation, String eventId, List<?> of) {
    if (of.isEmpty()) {
      return eventId == null ? "" : eventId;
    }
    return Checks.name(operation, "eventId", eventId);
  }

  private static UsageRule rule(
      Operation<?> operation, Object at, UsageRule rule, OptionalLong now, Keys keys) {
    keys.check(Checks.part(at, ".key"), rule.key());
    Checks.within(operation, Checks.part(at, ".limit"), rule.limit(), 1, Checks.MAX_EXACT);
    Duration window = Checks.positive(operation, Checks.part(at, ".window"), rule.window());
    var retention =
        Checks.optionalPositive(operation, Checks.part(at, ".retention"), rule.retention());
    requireExactEnd(operation, Checks.part(at, ".window"), window, now);
    retention.ifPresent(
        kept -> requireExactEnd(operation, Checks.part(at, ".retention"), kept, now));
    return new UsageRule(rule.key(), rule.limit(), window, retention);
  }

  private static void requireExactEnd(
      Operation<?> operation, Object what, Duration length, OptionalLong now) {
    Checks.require(
        now.isEmpty() || now.getAsLong() <= Checks.MAX_EXACT - length.toMillis(),
        operation,
        what,
        "plus now must be at most " + Checks.MAX_EXACT);
  }

  /** Keys seen so far: none repeats, and all are in one slot because they share a tag. */
  private static final class Keys {
    private final Operation<?> operation;
    private final Set<String> seen = new HashSet<>();
    private String tag;

    Keys(Operation<?> operation) {
      this.operation = operation;
    }

    void check(Object at, String key) {
      Checks.name(operation, at, key);
      Checks.require(seen.add(key), operation, at, "must not repeat");
      String own = tag(key);
      Checks.require(!own.isEmpty(), operation, at, "must contain a non-empty {tag}");
      tag = tag == null ? own : tag;
      Checks.require(own.equals(tag), operation, at, "must share the {tag} of the first");
    }

    /** What Redis Cluster hashes; empty if it would hash the whole key. */
    private static String tag(String key) {
      int open = key.indexOf('{');
      int close = key.indexOf('}', open + 1);
      return open < 0 || close < 0 ? "" : key.substring(open + 1, close);
    }
  }
}
