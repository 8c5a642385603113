package io.runtimestate.operation;

import static io.runtimestate.operation.ArgumentRule.COUNT;
import static io.runtimestate.operation.ArgumentRule.DURATION;
import static io.runtimestate.operation.ArgumentRule.FLAG;
import static io.runtimestate.operation.ArgumentRule.KEY;
import static io.runtimestate.operation.ArgumentRule.LONG;
import static io.runtimestate.operation.ArgumentRule.NAME;
import static io.runtimestate.operation.ArgumentRule.TEXT;

import io.runtimestate.data.RateScope;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.UsageRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The rules of the arguments of sets, scores, rate limits and usage limits. */
final class LimitRules {
  private static final long EXACT = (1L << 53) - 1;
  private static final long MAX_LIMIT = 4_294_967_295L;
  private static final Duration LONGEST = Duration.ofDays(36_525);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final List<Object> NO_INTEGER = List.of("x", 1.5, true, "1.0", 1e30);
  private static final List<Object> NO_NUMBER = List.of("x", "1.5", "inf", "NaN", true);

  /** A double that is finite. */
  private static final ArgumentRule NUM =
      new ArgumentRule(
          1.5,
          List.of(0.0, -0.0, Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_VALUE),
          List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY),
          NO_NUMBER);

  /** A double that may be infinite. */
  private static final ArgumentRule BOUND =
      new ArgumentRule(
          1.5,
          List.of(-0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY),
          List.of(Double.NaN),
          NO_NUMBER);

  private static final ArgumentRule SIZE =
      new ArgumentRule(
              null,
              List.of(1, Integer.MAX_VALUE),
              List.of(0, -1, Integer.MIN_VALUE),
              List.of("x", 1.5, true, 1L << 32))
          .optional();

  private static final ArgumentRule BUCKET = longs(0, EXACT);
  private static final ArgumentRule KEYS = KEY.list();
  private static final ArgumentRule MEMBERS = TEXT.list();

  private LimitRules() {}

  /** Says all of them, each as {@code operation, name, rule, name, rule …}. */
  interface Listener {
    void add(String operation, Object... namesAndRules);
  }

  static void tell(Listener all) {
    sets(all);
    scores(all);
    rates(all);
    usages(all);
  }

  private static void sets(Listener all) {
    all.add("set.add", "key", KEY, "member", TEXT);
    all.add("set.addAll", "key", KEY, "members", MEMBERS);
    all.add("set.remove", "key", KEY, "member", TEXT);
    all.add("set.removeAll", "key", KEY, "members", MEMBERS);
    all.add("set.contains", "key", KEY, "member", TEXT);
    all.add("set.members", "key", KEY);
    all.add("set.size", "key", KEY);
  }

  private static void scores(Listener all) {
    all.add("score.set", "key", KEY, "member", TEXT, "score", NUM);
    all.add("score.setAll", "key", KEY, "members", scored());
    all.add("score.increment", "key", KEY, "member", TEXT, "delta", NUM);
    all.add("score.getMany", "key", KEY, "members", MEMBERS);
    range(all);
    all.add("score.count", "key", KEY, "min", BOUND, "max", BOUND);
    all.add("score.size", "key", KEY);
    all.add("score.remove", "key", KEY, "member", TEXT);
    all.add("score.removeByScore", "key", KEY, "max", BOUND);
    all.add("score.removeByRank", "key", KEY, "start", LONG, "stop", LONG);
    all.add("score.popLowest", "key", KEY, "count", COUNT);
    all.add("score.windowStats", "keys", KEYS, "min", NUM);
    recordSample(all);
  }

  private static void range(Listener all) {
    Object[] bounds = {"key", KEY, "min", BOUND, "max", BOUND, "reverse", FLAG};
    Object[] part = {"offset", longs(0, Long.MAX_VALUE), "limit", SIZE, "withScores", FLAG};
    all.add("score.range", both(bounds, part));
  }

  private static void recordSample(Listener all) {
    Object[] sample = {"key", KEY, "member", TEXT, "score", NUM};
    Object[] trim = {"keepAbove", BOUND.optional(), "maxSize", SIZE, "ttl", DURATION};
    all.add("score.recordSample", both(sample, trim));
  }

  private static void rates(Listener all) {
    ArgumentRule cost = longs(1, MAX_LIMIT);
    Object[] scopes = {"scopes", scopes(), "bucket", BUCKET};
    Object[] window = {"window", DURATION.optional().usually(null)};
    all.add(
        "rate.consume", both(scopes, both(new Object[] {"ttl", DURATION, "cost", cost}, window)));
    all.add("rate.count", "key", KEY, "bucket", BUCKET);
    all.add("rate.refund", both(scopes, "cost", cost));
    ArgumentRule tokens = longs(1, 1_000_000_000);
    Object[] bucket = {"key", KEY, "capacity", tokens.usually(10L), "refillTokens", tokens};
    all.add("rate.tokenBucket", both(bucket, "refillPeriod", DURATION, "tokens", longs(1, 10)));
  }

  /** A time too late for a rule's window is a broken rule, not a broken time. */
  private static void usages(Listener all) {
    List<Object> nows = Arrays.asList(null, 0L, EXACT - MINUTE.toMillis());
    ArgumentRule now = new ArgumentRule(null, nows, List.of(-1L, Long.MIN_VALUE), NO_INTEGER);
    all.add("usage.consume", "rules", rules(), "eventId", NAME, "now", now);
    all.add("usage.peek", "rules", rules(), "eventId", NAME, "now", now);
    all.add("usage.release", "keys", tagged(), "eventId", NAME);
  }

  private static Object[] both(Object[] some, Object... more) {
    Object[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  private static ArgumentRule longs(long min, long max) {
    List<Object> bad = new ArrayList<>(List.of(min - 1, Long.MIN_VALUE));
    if (max < Long.MAX_VALUE) {
      bad.addAll(List.of(max + 1, Long.MAX_VALUE));
    }
    return new ArgumentRule(Math.max(1, min), List.of(min, max), bad, NO_INTEGER);
  }

  /** The rule of a list of parts that are not empty. */
  private static ArgumentRule parts(Object usual, int max, List<Object> good, List<Object> bad) {
    List<Object> lists = new ArrayList<>();
    bad.forEach(part -> lists.add(Collections.singletonList(part)));
    lists.add(null);
    lists.add(Collections.singletonList(null));
    lists.add(Collections.nCopies(max + 1, usual));
    List<Object> json = List.of("x", 1, List.of("x"), List.of(1));
    return new ArgumentRule(List.of(usual), good, lists, json);
  }

  private static ArgumentRule scored() {
    List<Object> bad = new ArrayList<>();
    TEXT.bad().forEach(text -> bad.add(ScoredMember.of((String) text, 1)));
    NUM.bad().forEach(score -> bad.add(ScoredMember.of("m", (Double) score)));
    bad.add(ScoredMember.of("m"));
    ScoredMember usual = ScoredMember.of("m", 1);
    List<Object> good =
        List.of(List.of(), List.of(usual, usual), List.of(ScoredMember.of("", -0.0)));
    return parts(usual, 100_000, good, bad);
  }

  /** A limit of 0 admits any cost, so that costs can be looked at alone. */
  private static ArgumentRule scopes() {
    RateScope usual = new RateScope("s", "k", 0);
    List<Object> bad = new ArrayList<>();
    NAME.bad().forEach(name -> bad.add(new RateScope((String) name, "k", 1)));
    KEY.bad().forEach(key -> bad.add(new RateScope("s", (String) key, 1)));
    bad.add(new RateScope("s", "k", -1));
    bad.add(new RateScope("s", "k", MAX_LIMIT + 1));
    List<Object> good =
        List.of(
            IntStream.range(0, 8).mapToObj(i -> new RateScope("s" + i, "k", MAX_LIMIT)).toList());
    ArgumentRule rule = parts(usual, 8, good, bad);
    return also(rule, List.of(), List.of(usual, usual));
  }

  private static ArgumentRule rules() {
    UsageRule usual = new UsageRule("{t}k", 1, MINUTE);
    List<Object> bad = new ArrayList<>();
    badTagged().forEach(key -> bad.add(new UsageRule((String) key, 1, MINUTE)));
    DURATION.bad().forEach(window -> bad.add(new UsageRule("{t}k", 1, (Duration) window)));
    bad.add(new UsageRule("{t}k", 0, MINUTE));
    bad.add(new UsageRule("{t}k", EXACT + 1, MINUTE));
    bad.add(new UsageRule("{t}k", 1, MINUTE, Duration.ZERO));
    bad.add(new UsageRule("{t}k", 1, MINUTE, LONGEST.plusMillis(1)));
    List<Object> good =
        List.of(
            List.of(new UsageRule("{t}k", EXACT, LONGEST, LONGEST)),
            IntStream.range(0, 64).mapToObj(i -> new UsageRule("{t}" + i, 1, MINUTE)).toList());
    UsageRule elsewhere = new UsageRule("{u}k", 1, MINUTE);
    return also(parts(usual, 64, good, bad), List.of(usual, usual), List.of(usual, elsewhere));
  }

  private static ArgumentRule tagged() {
    List<Object> good =
        List.of(List.of("{t}"), IntStream.range(0, 64).mapToObj(i -> "{t}" + i).toList());
    ArgumentRule rule = parts("{t}k", 64, good, badTagged());
    return also(rule, List.of("{t}k", "{t}k"), List.of("{t}k", "{u}k"));
  }

  private static List<Object> badTagged() {
    List<Object> bad = new ArrayList<>(NAME.bad());
    bad.addAll(List.of("k", "{}k", "{t", "t}", "}{"));
    return bad;
  }

  private static ArgumentRule also(ArgumentRule rule, Object... bad) {
    List<Object> all = new ArrayList<>(rule.bad());
    all.addAll(Arrays.asList(bad));
    return new ArgumentRule(rule.usual(), rule.good(), all, rule.badJson());
  }
}
