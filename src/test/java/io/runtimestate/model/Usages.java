package io.runtimestate.model;

import io.runtimestate.data.UsageRule;
import io.runtimestate.operation.UsageOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Random checks, peeks and releases over three windows, at times that go back as often as forward.
 *
 * @param events how many ids there are
 * @param limit the highest limit
 * @param span the latest time and the longest window
 * @param narrow one window in so many is short, so that many events die at once
 */
record Usages(int events, int limit, int span, int narrow) implements Family {
  private static final int WINDOWS = 3;
  private static final List<String> ODD_IDS = List.of("\0", "\u00E9", "\uD83D\uDE00", "-1", " x");
  private static final long LATEST = (1L << 53) - 1;

  /** Small windows that are often full. */
  static final Usages FULL = new Usages(40, 6, 3_000, 2);

  /** Windows with thousands of events, most of which die together. */
  static final Usages CROWDED = new Usages(6_000, 7_000, 1_000_000, 8);

  /** All windows as long as can be, with room for every event. */
  List<UsageRule> wide(String space) {
    return IntStream.range(0, WINDOWS)
        .mapToObj(
            i ->
                new UsageRule(
                    space + "{t}" + i,
                    events,
                    Duration.ofMillis(span),
                    Duration.ofMillis(3L * span)))
        .toList();
  }

  @Override
  public Step next(Vocabulary words) {
    List<UsageRule> rules = rules(words);
    String event = event(words);
    OptionalLong now = OptionalLong.of(now(words));
    return switch (words.random().nextInt(12)) {
      case 0 ->
          Step.of(
              space ->
                  new UsageOperation.Release(
                      in(space, rules).stream().map(UsageRule::key).toList(), event));
      case 1, 2 -> Step.of(space -> new UsageOperation.Peek(in(space, rules), event, now));
      default -> Step.of(space -> new UsageOperation.Consume(in(space, rules), event, now));
    };
  }

  private List<UsageRule> rules(Vocabulary words) {
    List<UsageRule> rules = new ArrayList<>();
    for (int i = 0; i < WINDOWS; i++) {
      if (words.chance(2)) {
        rules.add(
            new UsageRule(
                "{t}" + i,
                1 + words.random().nextInt(limit),
                length(words),
                Duration.ofMillis(span + words.random().nextInt(2 * span))));
      }
    }
    return rules;
  }

  private Duration length(Vocabulary words) {
    int longest = words.chance(narrow) ? span / 2 : span;
    int shortest = longest == span ? span : 1;
    return Duration.ofMillis(shortest + words.random().nextInt(longest - shortest + 1));
  }

  private String event(Vocabulary words) {
    return words.chance(20) ? words.any(ODD_IDS) : "e" + words.random().nextInt(events);
  }

  /** Rarely at the end of time, where numbers are exact just so. */
  private long now(Vocabulary words) {
    long now = words.random().nextInt(span);
    return words.chance(400) ? LATEST - 4L * span + now : now;
  }

  private static List<UsageRule> in(String space, List<UsageRule> rules) {
    return rules.stream()
        .map(
            rule ->
                new UsageRule(space + rule.key(), rule.limit(), rule.window(), rule.retention()))
        .toList();
  }
}
