package io.runtimestate.memory.table;

import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.data.UsageRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Usage limits word for word, with a plain list for each window. */
final class UsageModel {
  private final Map<String, Window> windows = new HashMap<>();

  private record Event(String id, long at) {}

  private static final class Window {
    final List<Event> events = new ArrayList<>();
    long retainedUntil;
  }

  UsageDecision consume(List<UsageRule> rules, String event, long now) {
    for (UsageRule rule : rules) {
      if (windows.containsKey(rule.key())) {
        windows.get(rule.key()).events.retainAll(live(rule, now));
      }
    }
    windows.values().removeIf(window -> window.events.isEmpty());
    List<UsagePeek> peeks = peek(rules, event, now);
    for (int i = 0; i < rules.size(); i++) {
      if (peeks.get(i).retryAfter().isPresent()) {
        return new UsageDecision.Rejected(i, rules.get(i).limit(), peeks.get(i).retryAfter().get());
      }
    }
    for (UsageRule rule : rules) {
      Window window = windows.computeIfAbsent(rule.key(), key -> new Window());
      if (window.events.stream().noneMatch(e -> e.id.equals(event))) {
        window.events.add(new Event(event, now));
      }
      window.retainedUntil = now + rule.effectiveRetention().toMillis();
    }
    return new UsageDecision.Allowed();
  }

  List<UsagePeek> peek(List<UsageRule> rules, String event, long now) {
    return rules.stream().map(rule -> peek(rule, event, now)).toList();
  }

  private UsagePeek peek(UsageRule rule, String event, long now) {
    List<Event> live = live(rule, now);
    boolean counted = live.stream().anyMatch(e -> e.id.equals(event));
    Optional<Duration> retry = Optional.empty();
    if (!counted && live.size() >= rule.limit()) {
      long leaving =
          live.stream()
              .mapToLong(Event::at)
              .sorted()
              .skip(live.size() - rule.limit())
              .findFirst()
              .getAsLong();
      retry = Optional.of(Duration.ofMillis(leaving + rule.window().toMillis() - now));
    }
    return new UsagePeek(live.size(), Math.max(0, rule.limit() - live.size()), counted, retry);
  }

  private List<Event> live(UsageRule rule, long now) {
    Window window = windows.get(rule.key());
    return window == null || now >= window.retainedUntil
        ? List.of()
        : window.events.stream()
            .filter(event -> event.at > now - rule.window().toMillis())
            .toList();
  }

  void release(List<String> keys, String event) {
    for (String key : keys) {
      if (windows.containsKey(key)) {
        windows.get(key).events.removeIf(e -> e.id.equals(event));
      }
    }
    windows.values().removeIf(window -> window.events.isEmpty());
  }

  int windows() {
    return windows.size();
  }

  int events() {
    return windows.values().stream().mapToInt(window -> window.events.size()).sum();
  }
}
