package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.UsageLimits;
import io.runtimestate.data.Durations;
import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsageDecision.Allowed;
import io.runtimestate.data.UsageDecision.Rejected;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

class UsageContractTest {
  private static final long EXACT = (1L << 53) - 1;
  private static final UsageDecision ALLOWED = new Allowed();

  @EachBackend
  @DisplayName("C231 C232 several windows at once, idempotent by event")
  void consume_severalRules(Fixture f) {
    UsageRule shortRule = rule(f, "short", 2, seconds(10));
    UsageRule longRule = rule(f, "long", 1, seconds(60));
    assertThat(consume(f, "e1", 100_000, shortRule, longRule)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e1", 101_000, shortRule, longRule)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e2", 105_000, shortRule, longRule)).isEqualTo(rejected(1, 1, 55_000));
    assertThat(consume(f, "e3", 105_000, shortRule)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e4", 109_000, shortRule)).isEqualTo(rejected(0, 2, 1_000));
    assertThat(consume(f, "e4", 110_000, shortRule)).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("C234 C235 K03 a limit of 1 admits one per window, from time 0 on")
  void consume_limitOne(Fixture f) {
    UsageRule rule = rule(f, "q", 1, seconds(1));
    assertThat(consume(f, "q1", 200_900, rule)).isEqualTo(ALLOWED);
    assertThat(consume(f, "q2", 201_100, rule)).isEqualTo(rejected(0, 1, 800));
    assertThat(consume(f, "q2", 201_900, rule)).isEqualTo(ALLOWED);
    UsageRule epoch = rule(f, "r", 1, seconds(1));
    assertThat(consume(f, "r1", 0, epoch)).isEqualTo(ALLOWED);
    assertThat(consume(f, "r2", 500, epoch)).isEqualTo(rejected(0, 1, 500));
    assertThat(consume(f, "r2", 1_000, epoch)).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("K03 limits 1 to 3 admit the first call of every window length")
  void consume_firstCall(Fixture f) {
    for (long window : new long[] {1, 10, 999, 86_400_000, Durations.LONGEST.toMillis()}) {
      for (int limit = 1; limit <= 3; limit++) {
        UsageRule rule = rule(f, "w" + window + "/" + limit, limit, ms(window));
        for (int i = 0; i < limit; i++) {
          assertThat(consume(f, "e" + i, 5_000, rule)).isEqualTo(ALLOWED);
        }
        assertThat(consume(f, "more", 5_000, rule)).isEqualTo(rejected(0, limit, window));
      }
    }
  }

  @EachBackend
  @DisplayName("C236 a window follows the current length of its rule")
  void consume_shorterWindow(Fixture f) {
    assertThat(consume(f, "r1", 100_000, rule(f, "w", 1, seconds(60)))).isEqualTo(ALLOWED);
    assertThat(consume(f, "r2", 111_000, rule(f, "w", 1, seconds(10)))).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("C237 C238 a window ends with its retention, which every admitted check renews")
  void consume_retention(Fixture f) {
    UsageRule first = new UsageRule(key(f, "a"), 1, seconds(60), seconds(5));
    assertThat(consume(f, "e1", 100_000, first)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e2", 104_999, first)).isInstanceOf(Rejected.class);
    assertThat(consume(f, "e2", 105_000, first)).isEqualTo(ALLOWED);
    UsageRule second = new UsageRule(key(f, "b"), 1, seconds(60), seconds(5));
    assertThat(consume(f, "e1", 100_000, second)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e1", 104_000, second)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e2", 105_000, second)).isEqualTo(rejected(0, 1, 55_000));
    assertThat(consume(f, "e2", 109_000, second)).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("C239 a replay keeps the original time")
  void consume_replay(Fixture f) {
    UsageRule rule = rule(f, "w", 1, seconds(60));
    assertThat(consume(f, "e1", 1_000, rule)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e1", 2_000, rule)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e2", 60_999, rule)).isEqualTo(rejected(0, 1, 1));
    assertThat(consume(f, "e2", 61_000, rule)).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("C240 K11 64 concurrent events share a limit of 8")
  void consume_concurrent(Fixture f) {
    UsageRule rule = rule(f, "w", 8, seconds(60));
    List<Future<UsageDecision>> decisions =
        IntStream.range(0, 64)
            .mapToObj(
                i ->
                    (i % 2 == 0 ? f.state() : f.second())
                        .usage()
                        .consume(List.of(rule), "e" + i, 5_000))
            .toList();
    assertThat(decisions.stream().filter(decision -> get(decision).isAllowed())).hasSize(8);
    assertThat(decisions.stream().filter(decision -> !get(decision).isAllowed()))
        .allSatisfy(decision -> assertThat(get(decision)).isEqualTo(rejected(0, 8, 60_000)));
  }

  @EachBackend
  @DisplayName("C241 a released event makes room, and releasing is repeatable")
  void release(Fixture f) {
    UsageRule rule = rule(f, "w", 2, seconds(60));
    UsageLimits usage = f.state().usage();
    consume(f, "e1", 1_000, rule);
    consume(f, "e2", 1_000, rule);
    assertThat(consume(f, "e3", 1_000, rule)).isInstanceOf(Rejected.class);
    get(usage.release(List.of(rule), "e1"));
    assertThat(consume(f, "e3", 1_000, rule)).isEqualTo(ALLOWED);
    get(usage.release(List.of(rule), "e1"));
    get(usage.releaseKeys(List.of(rule.key(), key(f, "missing")), "none"));
    assertThat(consume(f, "e4", 1_000, rule)).isInstanceOf(Rejected.class);
    get(usage.release(List.of(rule), "e2"));
    get(usage.release(List.of(rule), "e3"));
    assertThat(peek(f, "e", 1_000, rule)).containsExactly(unused(2));
  }

  @EachBackend
  @DisplayName("C242 C243 only windows without the event are charged, and all or none")
  void consume_partly(Fixture f) {
    UsageRule a = rule(f, "a", 2, seconds(60));
    UsageRule b = rule(f, "b", 1, seconds(60));
    consume(f, "e1", 1_000, a);
    assertThat(consume(f, "e1", 2_000, a, b)).isEqualTo(ALLOWED);
    assertThat(peek(f, "e1", 2_000, a, b).stream().map(UsagePeek::used)).containsExactly(1L, 1L);
    assertThat(consume(f, "e2", 2_000, a, b)).isEqualTo(rejected(1, 1, 60_000));
    assertThat(peek(f, "e2", 2_000, a).get(0).used()).isEqualTo(1);
    assertThat(consume(f, "e3", 2_000, a)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e4", 2_000, a)).isEqualTo(rejected(0, 2, 59_000));
  }

  @EachBackend
  @DisplayName("C244 a refused check expires all listed windows for good")
  void consume_rejectedExpires(Fixture f) {
    UsageRule full = rule(f, "full", 1, seconds(60));
    UsageRule other = rule(f, "other", 1, seconds(10));
    consume(f, "e1", 100_000, full);
    consume(f, "e1", 100_000, other);
    assertThat(consume(f, "e2", 110_000, full, other)).isEqualTo(rejected(0, 1, 50_000));
    assertThat(consume(f, "e3", 101_000, other)).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("C246 a call affects only its own windows")
  void consume_otherWindows(Fixture f) {
    UsageRule a = rule(f, "a", 1, seconds(60));
    consume(f, "e1", 100_000, a);
    for (int i = 0; i < 1_000; i++) {
      consume(f, "e" + i, 1_000_000_000_000L, rule(f, "x" + i % 50, 100, seconds(60)));
    }
    assertThat(consume(f, "e2", 101_000, a)).isEqualTo(rejected(0, 1, 59_000));
  }

  @EachBackend
  @DisplayName("C247 without rules everything is admitted and nothing else is looked at")
  void consume_noRules(Fixture f) {
    UsageLimits usage = f.state().usage();
    assertThat(get(usage.consume(List.of(), " "))).isEqualTo(ALLOWED);
    assertThat(get(usage.consume(List.of(), null, -1))).isEqualTo(ALLOWED);
    assertThat(get(usage.peek(List.of(), ""))).isEmpty();
    get(usage.release(List.of(), " "));
    get(usage.releaseKeys(List.of(), null));
  }

  @EachBackend
  @DisplayName("C248 C249 C250 C251 C252 C268 broken rules fail and name the index")
  void consume_invalid(Fixture f) {
    UsageLimits usage = f.state().usage();
    UsageRule good = rule(f, "a", 1, seconds(1));
    assertInvalid(usage.consume(List.of(good), " ")).contains("usage.consume: eventId");
    assertInvalid(usage.consume(List.of(good, good), "e")).contains("rules[1].key");
    assertInvalid(usage.consume(List.of(good, rule(f, "b", 0, seconds(1))), "e"))
        .contains("rules[1].limit");
    assertInvalid(usage.consume(List.of(good, rule(f, "b", 1, ms(0))), "e"))
        .contains("rules[1].window");
    UsageRule noRetention = new UsageRule(key(f, "b"), 1, seconds(1), Duration.ZERO);
    assertInvalid(usage.consume(List.of(good, noRetention), "e")).contains("rules[1].retention");
    assertInvalid(usage.consume(List.of(good), "e", EXACT + 1)).contains("usage.consume");
    assertInvalid(usage.peek(List.of(rule(f, "a", EXACT + 1, seconds(1))), "e")).contains("limit");
    assertInvalid(usage.peek(List.of(new UsageRule("untagged", 1, seconds(1))), "e"))
        .contains("usage.peek: rules[0].key");
    assertInvalid(usage.releaseKeys(List.of("{a}", "{b}"), "e")).contains("keys[1]");
    assertInvalid(usage.releaseKeys(List.of("{a}", "{a}"), "e")).contains("keys[1]");
    assertInvalid(usage.releaseKeys(List.of("{a}"), "")).contains("usage.release: eventId");
    assertInvalid(usage.consume(rules(f, 65), "e")).contains("rules");
    assertThat(peek(f, "e", 0, good)).containsExactly(unused(1));
    assertThat(get(usage.consume(rules(f, 64), "e")).isAllowed()).isTrue();
    get(usage.release(rules(f, 64), "e"));
  }

  @EachBackend
  @DisplayName("C251 F03 the largest times and limits are exact")
  void consume_extremes(Fixture f) {
    UsageRule rule = rule(f, "w", EXACT, seconds(1));
    assertThat(consume(f, "e", EXACT - 1_000, rule)).isEqualTo(ALLOWED);
    assertThat(peek(f, "e", EXACT - 1_000, rule))
        .containsExactly(new UsagePeek(1, EXACT - 1, true, Optional.empty()));
    UsageRule one = rule(f, "v", 1, seconds(1));
    assertThat(consume(f, "e1", EXACT - 1_000, one)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e2", EXACT - 1_001, one)).isEqualTo(rejected(0, 1, 1_001));
    UsageRule longest = rule(f, "u", 1, Durations.LONGEST);
    assertThat(consume(f, "e1", 0, longest)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e2", 1, longest))
        .isEqualTo(rejected(0, 1, Durations.LONGEST.toMillis() - 1));
  }

  @EachBackend
  @DisplayName("8.3 a regressing time is legal: later events count too")
  void consume_regressing(Fixture f) {
    UsageRule rule = new UsageRule(key(f, "w"), 2, seconds(10), seconds(200));
    consume(f, "e1", 100_000, rule);
    consume(f, "e2", 50_000, rule);
    assertThat(consume(f, "e3", 55_000, rule)).isEqualTo(rejected(0, 2, 5_000));
    assertThat(consume(f, "e3", 60_000, rule)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e4", 65_000, rule)).isEqualTo(rejected(0, 2, 5_000));
    assertThat(consume(f, "e4", 71_000, rule)).isEqualTo(ALLOWED);
    assertThat(consume(f, "e5", 71_000, rule)).isEqualTo(rejected(0, 2, 10_000));
    assertThat(consume(f, "e6", 1_000, rule)).isEqualTo(rejected(0, 2, 80_000));
  }

  @EachBackend
  @DisplayName("C261 without a time the backend's own counts")
  void consume_backendTime(Fixture f) {
    UsageRule rule = rule(f, "w", 2, ms(300));
    UsageLimits usage = f.state().usage();
    assertThat(get(usage.consume(List.of(rule), "e1"))).isEqualTo(ALLOWED);
    assertThat(get(usage.consume(List.of(rule), "e2"))).isEqualTo(ALLOWED);
    Rejected rejected = (Rejected) get(usage.consume(List.of(rule), "e3"));
    assertThat(rejected.retryAfter()).isBetween(ms(1), ms(300));
    assertThat(get(usage.peek(List.of(rule), "e3")).get(0).used()).isEqualTo(2);
    f.pass(rejected.retryAfter());
    assertThat(get(usage.consume(List.of(rule), "e3"))).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("C262 K07 peeking changes nothing")
  void peek_fresh(Fixture f) {
    UsageRule a = rule(f, "a", 3, seconds(60));
    UsageRule b = rule(f, "b", 1, seconds(10));
    for (int i = 0; i < 100; i++) {
      assertThat(peek(f, "e", 1_000, a, b)).containsExactly(unused(3), unused(1));
    }
    assertThat(consume(f, "e", 1_000, a, b)).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("C263 peeking tells what is used and what would be refused")
  void peek_used(Fixture f) {
    UsageRule a = rule(f, "a", 3, seconds(60));
    UsageRule b = rule(f, "b", 1, seconds(10));
    consume(f, "e1", 1_000, a, b);
    List<UsagePeek> other = peek(f, "e2", 2_000, a, b);
    assertThat(other)
        .containsExactly(
            new UsagePeek(1, 2, false, Optional.empty()),
            new UsagePeek(1, 0, false, Optional.of(ms(9_000))));
    assertThat(other.stream().map(UsagePeek::isAllowed)).containsExactly(true, false);
    assertThat(peek(f, "e1", 2_000, a, b))
        .containsExactly(
            new UsagePeek(1, 2, true, Optional.empty()),
            new UsagePeek(1, 0, true, Optional.empty()));
  }

  @EachBackend
  @DisplayName("C264 peeking removes nothing")
  void peek_keeps(Fixture f) {
    UsageRule rule = rule(f, "w", 1, seconds(10));
    consume(f, "e1", 100_000, rule);
    assertThat(peek(f, "e2", 110_000, rule)).containsExactly(unused(1));
    assertThat(consume(f, "e2", 101_000, rule)).isEqualTo(rejected(0, 1, 9_000));
  }

  @EachBackend
  @DisplayName("C266 a peek tells what a consume of the same input then does")
  void peek_foretells(Fixture f) {
    Random random = new Random(21);
    long now = 10_000;
    for (int step = 0; step < 300; step++) {
      now = Math.max(0, now + random.nextInt(400) - (random.nextInt(4) == 0 ? 700 : 0));
      List<UsageRule> rules = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        rules.add(rule(f, "w" + i, 1 + random.nextInt(4), ms(1 + random.nextInt(1_500))));
      }
      String event = "e" + random.nextInt(30);
      List<UsagePeek> peeks = get(f.state().usage().peek(rules, event, now));
      UsageDecision expected = ALLOWED;
      for (int i = 2; i >= 0; i--) {
        if (peeks.get(i).retryAfter().isPresent()) {
          long wait = peeks.get(i).retryAfter().get().toMillis();
          expected = rejected(i, rules.get(i).limit(), wait);
        }
      }
      assertThat(get(f.state().usage().consume(rules, event, now))).isEqualTo(expected);
    }
  }

  @EachBackend
  @DisplayName("C267 a lowered limit waits until enough events have left")
  void consume_loweredLimit(Fixture f) {
    UsageRule three = rule(f, "w", 3, seconds(60));
    for (int i = 1; i <= 3; i++) {
      consume(f, "e" + i, i * 1_000, three);
    }
    UsageRule one = rule(f, "w", 1, seconds(60));
    assertThat(consume(f, "e4", 4_000, one)).isEqualTo(rejected(0, 1, 59_000));
    assertThat(peek(f, "e4", 4_000, one))
        .containsExactly(new UsagePeek(3, 0, false, Optional.of(ms(59_000))));
    assertThat(consume(f, "e4", 63_000, one)).isEqualTo(ALLOWED);
  }

  @EachBackend
  @DisplayName("C270 K01 events of one millisecond are told apart by their ids")
  void consume_sameTime(Fixture f) {
    UsageRule rule = rule(f, "w", 100, seconds(60));
    List<Future<UsageDecision>> decisions =
        IntStream.range(0, 2_000)
            .mapToObj(i -> f.state().usage().consume(List.of(rule), "e" + i, 7_000))
            .toList();
    assertThat(decisions.stream().filter(decision -> get(decision).isAllowed())).hasSize(100);
  }

  @EachBackend
  @DisplayName("0.4 H03 events are exact texts of any kind")
  void consume_texts(Fixture f) {
    UsageRule rule = rule(f, "w", 10, seconds(60));
    List<String> events =
        List.of("é", "e\u0301", "\0", "a\r\n", "  x", "-1", "1e5", "x".repeat(9_999));
    for (String event : events) {
      assertThat(consume(f, event, 1_000, rule)).isEqualTo(ALLOWED);
      assertThat(consume(f, event, 1_000, rule)).isEqualTo(ALLOWED);
    }
    assertThat(peek(f, "é", 1_000, rule))
        .containsExactly(new UsagePeek(8, 2, true, Optional.empty()));
  }

  static UsageRule rule(Fixture f, String name, long limit, Duration window) {
    return new UsageRule(key(f, name), limit, window);
  }

  private static String key(Fixture f, String name) {
    return f.key("{t}" + name);
  }

  private static List<UsageRule> rules(Fixture f, int count) {
    return IntStream.range(0, count).mapToObj(i -> rule(f, "r" + i, 1, seconds(1))).toList();
  }

  private static UsageDecision consume(Fixture f, String event, long now, UsageRule... rules) {
    return get(f.state().usage().consume(List.of(rules), event, now));
  }

  private static List<UsagePeek> peek(Fixture f, String event, long now, UsageRule... rules) {
    return get(f.state().usage().peek(List.of(rules), event, now));
  }

  private static UsageDecision rejected(int rule, long limit, long wait) {
    return new Rejected(rule, limit, ms(wait));
  }

  private static UsagePeek unused(long limit) {
    return new UsagePeek(0, limit, false, Optional.empty());
  }
}
