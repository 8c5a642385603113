package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RateLimits;
import io.runtimestate.RuntimeState;
import io.runtimestate.ScoreRange;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/** Sets, scores, rate and usage limits as they are seen from the server's side. */
class LimitsOnRedisContractTest {

  // --- what is sent

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C181 C220 an operation sends one command or one script call")
  void operations_oneCommand(Fixture f) {
    RuntimeState state = f.state();
    String key = f.key("{t}k");
    List<RateScope> scopes = scopes(key + "1", key + "2", key + "3");
    List<UsageRule> rules = List.of(new UsageRule(key, 9, seconds(9)));
    List<Supplier<Future<?>>> calls =
        List.of(
            () ->
                state
                    .scores()
                    .recordSample(key, "m", 1, OptionalDouble.of(0), OptionalInt.of(9), seconds(9)),
            () -> state.scores().increment(key, "m", 1),
            () -> state.scores().range(key, ScoreRange.all().skip(2_000)),
            () -> state.scores().windowStats(List.of(key), 0),
            () -> state.kv().compareAndSet(key + "v", "a", "b"),
            () -> state.rates().consume(scopes, 1, seconds(9), 1, seconds(60)),
            () -> state.rates().refund(scopes, 1),
            () -> state.rates().tokenBucket(key, 9, 1, seconds(9)),
            () -> state.usage().consume(rules, "e"),
            () -> state.usage().peek(rules, "e"),
            () -> state.usage().release(rules, "e"));
    calls.forEach(Supplier::get); // loads the scripts on the connection, if they were flushed
    calls.forEach(call -> get(call.get()));
    for (Supplier<Future<?>> call : calls) {
      List<String> sent = sentWhile(key, () -> get(call.get()));
      assertThat(sent).as(sent.toString()).hasSize(1);
      assertThat(sent.get(0).toUpperCase()).contains("\"EVALSHA\"");
    }
  }

  /** The commands with that key that clients, not scripts, sent meanwhile. */
  private static List<String> sentWhile(String key, Runnable action) {
    try (RedisSide monitor = RedisServer.shared().side()) {
      monitor.command("MONITOR");
      action.run();
      List<String> sent = new ArrayList<>();
      while (!monitor.silentFor(ms(60))) {
        sent.add((String) monitor.read());
      }
      return sent.stream().filter(line -> line.contains(key) && !line.contains(" lua]")).toList();
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C189 C256 F01 calls go on after the scripts were flushed, and count once")
  void scripts_flushed(Fixture f) {
    List<UsageRule> rules = List.of(new UsageRule(f.key("{t}w"), 2, seconds(60)));
    List<RateScope> scopes = scopes(f.key("k"));
    for (int i = 1; i <= 5; i++) {
      try (RedisSide side = RedisServer.shared().side()) {
        side.command("SCRIPT", "FLUSH");
      }
      get(f.state().scores().set(f.key("s"), i + ":2", i));
      assertThat(get(f.state().scores().windowStats(List.of(f.key("s")), 0)).get(0).orElseThrow())
          .matches(stats -> stats.sum().longValue() == 2 * stats.positiveCount())
          .matches(stats -> stats.positiveCount() > 0);
      get(f.state().rates().consume(scopes, 1, seconds(60)));
      assertThat(get(f.state().rates().count(f.key("k"), 1))).isEqualTo(Math.min(i, 2));
      assertThat(get(f.state().usage().consume(rules, "e" + i)).isAllowed()).isEqualTo(i <= 2);
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C220 J11 a cut connection leaves all or none of the counters charged")
  void consume_cut(Fixture f) {
    try (FaultProxy proxy = FaultProxy.start(f.vertx(), RedisServer.shared().port())) {
      RuntimeStateOptions options = f.options();
      options.getRedis().setUrl(proxy.uri());
      RuntimeState state = f.open(options);
      List<RateScope> scopes = scopes("{t}1", "{t}2", "{t}3");
      get(state.rates().consume(scopes, 1, seconds(60)));
      for (int i = 0; i < 5; i++) {
        proxy.cutAfterNextRequest();
        assertThat(Fails.failure(state.rates().consume(scopes, 1, seconds(60))))
            .matches(failure -> failure.isRetryable() && failure.mayHaveBeenApplied());
        assertThat(
                scopes.stream().map(scope -> get(state.rates().count(scope.key(), 1))).distinct())
            .hasSize(1);
      }
      try (RedisSide side = RedisServer.shared().side()) {
        assertThat(side.command("PTTL", options.getKeyPrefix() + ":rl:1:{t}3"))
            .isInstanceOfSatisfying(Long.class, left -> assertThat(left).isPositive());
      }
    }
  }

  // --- state damaged or lost

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C219 J01 a counter without expiry gets one when it causes a refusal")
  void consume_heals(Fixture f) {
    List<RateScope> scopes = scopes(f.key("k"));
    try (RedisSide side = RedisServer.shared().side()) {
      side.command("SET", counter(f, "k"), "999999999999");
      assertThat(get(f.state().rates().consume(scopes, 1, ms(150))).isAllowed()).isFalse();
      assertThat((Long) side.command("PTTL", counter(f, "k"))).isBetween(1L, 150L);
    }
    f.pass(ms(200));
    assertThat(get(f.state().rates().consume(scopes, 1, ms(150))).isAllowed()).isTrue();
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C481 a damaged counter fails the call and leaves the others alone")
  void consume_damaged(Fixture f) {
    List<RateScope> scopes = scopes(f.key("a"), f.key("b"));
    RateLimits rates = f.state().rates();
    get(rates.consume(scopes, 1, seconds(60)));
    try (RedisSide side = RedisServer.shared().side()) {
      for (String text : List.of(" 5 ", "0x10", "1e3", "nan", "inf", "", "-1", "+1", "01", "1.0")) {
        side.command("SET", counter(f, "b"), text);
        assertFails(rates.consume(scopes, 1, seconds(60)), FailureCode.UNEXPECTED_REPLY)
            .startsWith("rate.consume: ");
        assertFails(rates.refund(scopes, 1), FailureCode.UNEXPECTED_REPLY);
        assertFails(rates.count(f.key("b"), 1), FailureCode.UNEXPECTED_REPLY);
      }
      side.command("DEL", counter(f, "b"));
      side.command("SADD", counter(f, "b"), "m");
      assertFails(rates.consume(scopes, 1, seconds(60)), FailureCode.UNEXPECTED_REPLY);
      assertFails(rates.refund(scopes, 1), FailureCode.UNEXPECTED_REPLY);
      assertFails(rates.count(f.key("b"), 1), FailureCode.UNEXPECTED_REPLY);
    }
    assertThat(get(rates.count(f.key("a"), 1))).isEqualTo(1);
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("0.9.7 a damaged token bucket or window fails the call")
  void others_damaged(Fixture f) {
    String bucket = f.prefix() + ":rl:tb:" + f.key("k");
    List<UsageRule> rules =
        List.of(
            new UsageRule(f.key("{t}a"), 5, seconds(9)),
            new UsageRule(f.key("{t}b"), 5, seconds(9)));
    try (RedisSide side = RedisServer.shared().side()) {
      for (String text : List.of("", "5", "5 0", "5 0 x", "-5 0 1", "5 0 1 ", "1e3 0 1")) {
        side.command("SET", bucket, text);
        assertFails(
            f.state().rates().tokenBucket(f.key("k"), 9, 1, seconds(9)),
            FailureCode.UNEXPECTED_REPLY);
      }
      side.command("SET", f.prefix() + ":ul:" + f.key("{t}b"), "text");
      assertFails(f.state().usage().consume(rules, "e"), FailureCode.UNEXPECTED_REPLY);
      assertFails(f.state().usage().peek(rules, "e"), FailureCode.UNEXPECTED_REPLY);
      assertFails(f.state().usage().release(rules, "e"), FailureCode.UNEXPECTED_REPLY);
      side.command("DEL", f.prefix() + ":ul:" + f.key("{t}b"));
      side.command("ZADD", f.prefix() + ":ul:" + f.key("{t}b"), "5", "e");
      assertFails(f.state().usage().consume(rules, "e"), FailureCode.UNEXPECTED_REPLY);
    }
    assertThat(get(f.state().usage().peek(rules.subList(0, 1), "e")).get(0).used()).isZero();
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("F07 J07 any physical key may vanish: calls get ordinary answers")
  void keys_vanish(Fixture f) {
    List<RateScope> scopes = scopes(f.key("a"), f.key("b"));
    List<UsageRule> rules =
        List.of(
            new UsageRule(f.key("{t}a"), 2, seconds(9)),
            new UsageRule(f.key("{t}b"), 2, seconds(9)));
    try (RedisSide side = RedisServer.shared().side()) {
      int rates = 0;
      int usages = 0;
      for (int i = 0; i < 60; i++) {
        RateDecision rate = get(f.state().rates().consume(scopes, 1, seconds(60)));
        UsageDecision usage = get(f.state().usage().consume(rules, "e" + i));
        rates += rate.isAllowed() ? 1 : 0;
        usages += usage.isAllowed() ? 1 : 0;
        get(f.state().rates().tokenBucket(f.key("k"), 2, 1, seconds(9)));
        side.command(
            "DEL",
            switch (i % 5) {
              case 0 -> counter(f, "a");
              case 1 -> counter(f, "b");
              case 2 -> f.prefix() + ":ul:" + f.key("{t}a");
              case 3 -> f.prefix() + ":ul:" + f.key("{t}b");
              default -> f.prefix() + ":rl:tb:" + f.key("k");
            });
      }
      assertThat(List.of(rates, usages)).allMatch(admitted -> admitted > 10 && admitted < 50);
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("0.4.1 I01 what others wrote is read whole: bytes that are no text, infinite scores")
  void foreign_read(Fixture f) {
    try (RedisSide side = RedisServer.shared().side()) {
      String set = f.prefix() + ":d:" + f.key("set");
      side.commandBytes(bytes("SADD"), bytes(set), new byte[] {'a', (byte) 0xff}, bytes("b"));
      side.command("ZADD", f.prefix() + ":d:" + f.key("s"), "inf", "a", "-inf", "b", "-0.0", "c");
    }
    assertThat(get(f.state().sets().members(f.key("set")))).containsExactly("a\ufffd", "b");
    List<ScoredMember> members =
        get(f.state().scores().range(f.key("s"), ScoreRange.all().withScores()));
    assertThat(members)
        .containsExactly(
            ScoredMember.of("b", Double.NEGATIVE_INFINITY),
            ScoredMember.of("c", 0.0),
            ScoredMember.of("a", Double.POSITIVE_INFINITY));
    assertThat(get(f.state().scores().get(f.key("s"), "a"))).contains(Double.POSITIVE_INFINITY);
    assertThat(get(f.state().scores().popLowest(f.key("s"), 3))).isEqualTo(members);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  // --- usage windows

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C258 F05 20 000 dead events in each of two windows do not disturb 64 callers")
  void consume_manyDead(Fixture f) {
    List<UsageRule> rules =
        List.of(
            new UsageRule(f.key("{t}a"), 4_104, seconds(60)),
            new UsageRule(f.key("{t}b"), 4_104, seconds(60)));
    rules.forEach(rule -> fill(f, rule, 20_000, 4_096));
    List<Future<UsageDecision>> decisions =
        IntStream.range(0, 64)
            .mapToObj(i -> f.state().usage().consume(rules, "new" + i, 200_000))
            .toList();
    assertThat(decisions.stream().filter(decision -> get(decision).isAllowed())).hasSize(8);
    assertThat(get(f.state().usage().peek(rules, "e", 200_000)).stream().map(UsagePeek::used))
        .containsExactly(4_104L, 4_104L);
    List<List<?>> live = rules.stream().<List<?>>map(rule -> liveEvents(f, rule)).toList();
    assertThat(live.get(0)).hasSize(4_104).isEqualTo(live.get(1));
  }

  private static List<?> liveEvents(Fixture f, UsageRule rule) {
    try (RedisSide side = RedisServer.shared().side()) {
      String key = f.prefix() + ":ul:" + rule.key();
      return (List<?>) side.command("ZRANGE", key, "(140000", "+inf", "BYSCORE");
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C482 a million dead events are shed in small steps, with right answers throughout")
  void consume_millionDead(Fixture f) {
    UsageRule rule = new UsageRule(f.key("{t}w"), 102, seconds(60));
    fill(f, rule, 1_000_000, 100);
    try (RedisSide side = RedisServer.shared().side()) {
      side.command("SLOWLOG", "RESET");
      String before =
          (String) ((List<?>) side.command("CONFIG", "GET", "slowlog-log-slower-than")).get(1);
      side.command("CONFIG", "SET", "slowlog-log-slower-than", "10000");
      List<Boolean> admitted = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        assertThat(peek(f, rule, 200_000).used()).isEqualTo(100 + Math.min(i, 2));
        admitted.add(get(f.state().usage().consume(List.of(rule), "n" + i, 200_000)).isAllowed());
      }
      assertThat(admitted).containsExactly(true, true, false, false, false);
      side.command("CONFIG", "SET", "slowlog-log-slower-than", before);
      assertThat(slowScripts(side)).as("a busy machine may stop the server once").isLessThan(2);
      assertThat((Long) side.command("ZCARD", f.prefix() + ":ul:" + rule.key()))
          .isEqualTo(1_000_102 + 2 - 5_000);
    }
    // A time before the mark: the dead must not come back, and a new event must not be dead.
    assertThat(peek(f, rule, 100_000).used()).isEqualTo(102);
    UsageRule wider = new UsageRule(rule.key(), 200, seconds(60), seconds(100_000));
    assertThat(get(f.state().usage().consume(List.of(wider), "late", 100_000)).isAllowed())
        .isTrue();
    assertThat(peek(f, wider, 100_000).used()).isEqualTo(103);
    get(f.state().usage().release(List.of(wider), "late"));
    assertThat(peek(f, wider, 100_000).used()).isEqualTo(102);
  }

  private static long slowScripts(RedisSide side) {
    return ((List<?>) side.command("SLOWLOG", "GET", "10"))
        .stream().filter(entry -> entry.toString().contains("EVALSHA")).count();
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("8.3 a window with nothing but dead events is unlinked, whoever finds out")
  void window_unlinked(Fixture f) {
    UsageRule rule = new UsageRule(f.key("{t}w"), 10, seconds(60));
    UsageRule full = new UsageRule(f.key("{t}full"), 1, seconds(600));
    get(f.state().usage().consume(List.of(full), "e", 100_000));
    fill(f, rule, 5_000, 0);
    assertThat(get(f.state().usage().consume(List.of(full, rule), "f", 200_000)).isAllowed())
        .isFalse();
    fill(f, rule, 5_000, 1);
    get(f.state().usage().consume(List.of(full, rule), "f", 200_000));
    get(f.state().usage().release(List.of(rule), "live0"));
    try (RedisSide side = RedisServer.shared().side()) {
      assertThat(side.command("EXISTS", f.prefix() + ":ul:" + rule.key())).isEqualTo(0L);
    }
  }

  /** Dead events up to 140 000 and live ones from 150 000 on, for a window of 60 s at 200 000. */
  private static void fill(Fixture f, UsageRule rule, int dead, int live) {
    String key = f.prefix() + ":ul:" + rule.key();
    try (RedisSide side = RedisServer.shared().side()) {
      side.command("ZADD", key, "-10000000", "");
      add(side, key, "i % 140001, 'dead' .. i", dead);
      add(side, key, "150000 + i, 'live' .. i", live);
    }
  }

  /** In pieces, because a server that runs one script for seconds refuses everybody else. */
  private static void add(RedisSide side, String key, String event, int count) {
    String script =
        "for i = tonumber(ARGV[1]), tonumber(ARGV[2]) - 1 do"
            + " redis.call('ZADD', KEYS[1], EVENT) end".replace("EVENT", event);
    for (int from = 0; from < count; from += 20_000) {
      int end = Math.min(from + 20_000, count);
      side.command("EVAL", script, "1", key, Integer.toString(from), Integer.toString(end));
    }
  }

  private static UsagePeek peek(Fixture f, UsageRule rule, long now) {
    return get(f.state().usage().peek(List.of(rule), "e", now)).get(0);
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C260 a check of a window with 20 000 live events takes less than 20 ms")
  void consume_manyLive(Fixture f) {
    UsageRule rule = new UsageRule(f.key("{t}w"), 100_000, seconds(60));
    fill(f, rule, 0, 20_000);
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      long start = System.nanoTime();
      get(f.state().usage().consume(List.of(rule), "n" + i, 175_000));
      best = Math.min(best, System.nanoTime() - start);
    }
    assertThat(Duration.ofNanos(best)).isLessThan(ms(20));
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C265 K07 1 000 peeks write nothing")
  void peek_writesNothing(Fixture f) {
    List<UsageRule> rules =
        List.of(
            new UsageRule(f.key("{t}known"), 2, seconds(60)),
            new UsageRule(f.key("{t}unknown"), 2, seconds(60)));
    get(f.state().usage().consume(rules.subList(0, 1), "e", 5_000));
    try (RedisSide side = RedisServer.shared().side()) {
      long changes = changes(side);
      for (int i = 0; i < 500; i++) {
        get(f.state().usage().peek(rules, "e", 6_000 + i));
        get(f.state().usage().peek(rules, "e" + i));
      }
      assertThat(changes(side)).isEqualTo(changes);
    }
  }

  /** How many keys were written since the last save. */
  private static long changes(RedisSide side) {
    return Long.parseLong(side.info("persistence").get("rdb_changes_since_last_save"));
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("K05 K09 refused checks leave the window as it is, and as small")
  void consume_refusedKeepsState(Fixture f) {
    List<UsageRule> rules = List.of(new UsageRule(f.key("{t}w"), 10, seconds(600)));
    List<RateScope> scopes = scopes(f.key("k"));
    IntStream.range(0, 10).forEach(i -> get(f.state().usage().consume(rules, "e" + i)));
    IntStream.range(0, 2).forEach(i -> get(f.state().rates().consume(scopes, 1, seconds(600))));
    try (RedisSide side = RedisServer.shared().side()) {
      String window = f.prefix() + ":ul:" + rules.get(0).key();
      Object before = side.command("ZRANGE", window, "0", "-1", "WITHSCORES");
      long ttl = (Long) side.command("PTTL", window);
      for (int i = 0; i < 500; i++) {
        assertThat(get(f.state().usage().consume(rules, "refused" + i)).isAllowed()).isFalse();
        assertThat(get(f.state().rates().consume(scopes, 1, seconds(900))).isAllowed()).isFalse();
      }
      assertThat(side.command("ZRANGE", window, "0", "-1", "WITHSCORES")).isEqualTo(before);
      assertThat((Long) side.command("PTTL", window)).isLessThanOrEqualTo(ttl);
      assertThat(side.command("GET", counter(f, "k"))).isEqualTo("2");
      assertThat((Long) side.command("PTTL", counter(f, "k"))).isLessThanOrEqualTo(600_000L);
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("F03 numbers are stored without exponent")
  void numbers_stored(Fixture f) {
    long now = 900_000_000_000_000L;
    List<UsageRule> rules =
        List.of(new UsageRule(f.key("{t}w"), 1L << 50, Duration.ofDays(36_525)));
    get(f.state().usage().consume(rules, "e", now));
    Duration period = ms((1L << 52) / 1_000_000);
    get(f.state().rates().tokenBucket(f.key("b"), 1_000_000, 1, period, 1));
    try (RedisSide side = RedisServer.shared().side()) {
      String window = f.prefix() + ":ul:" + rules.get(0).key();
      long deadline = now + Duration.ofDays(36_525).toMillis();
      assertThat(side.command("ZRANGE", window, "0", "-1", "WITHSCORES"))
          .isEqualTo(List.of("", "-" + deadline, "e", Long.toString(now)));
      assertThat((String) side.command("GET", f.prefix() + ":rl:tb:" + f.key("b")))
          .matches("999999 0 [0-9]{13}");
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("8.3 the key of a window outlives its retention by 2 x retention + 60 s")
  void window_garbage(Fixture f) {
    List<UsageRule> rules = List.of(new UsageRule(f.key("{t}w"), 5, seconds(10), seconds(20)));
    get(f.state().usage().consume(rules, "e", 5_000));
    try (RedisSide side = RedisServer.shared().side()) {
      assertThat((Long) side.command("PTTL", f.prefix() + ":ul:" + rules.get(0).key()))
          .isBetween(99_000L, 100_000L);
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName(
      "6.7 a member made to confuse the number search holds the server no longer than others")
  void windowStats_longMember(Fixture f) {
    String zeros = "0".repeat(60_000);
    get(f.state().scores().set(f.key("s"), "a:" + zeros + "x", 1));
    get(f.state().scores().set(f.key("s"), ":".repeat(60_000) + "+" + zeros + "7", 1));
    long start = System.nanoTime();
    assertThat(get(f.state().scores().windowStats(List.of(f.key("s")), 0)).get(0).orElseThrow())
        .matches(stats -> stats.sum().longValue() == 7);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(seconds(1));
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("0.9.9 a full server refuses growth whole; refusals and releases still work")
  void server_full(Fixture f) {
    try (RedisServer server = RedisServer.start("maxmemory-policy noeviction");
        RedisSide side = server.side()) {
      RuntimeState state = f.open(f.options(server));
      List<UsageRule> rules = List.of(new UsageRule("{t}w", 1, seconds(60)));
      get(state.usage().consume(rules, "e", 1_000));
      get(state.scores().set("s", "m", 1));
      side.command("CONFIG", "SET", "maxmemory", "1");
      OptionalDouble clear = OptionalDouble.of(9);
      List<Future<?>> growing =
          List.of(
              state.sets().add("set", "m"),
              state.scores().set("s", "n", 1),
              state.scores().increment("s", "n", 1),
              state.scores().recordSample("s", "n", 10, clear, null, seconds(9)),
              state.rates().consume(scopes("a", "b"), 1, seconds(9)),
              state.rates().tokenBucket("k", 9, 1, seconds(9)),
              state.usage().consume(List.of(new UsageRule("{t}x", 1, seconds(60))), "e"));
      growing.forEach(call -> assertFails(call, FailureCode.CAPACITY_EXHAUSTED));
      assertThat(get(state.scores().get("s", "m"))).isEqualTo(Optional.of(1.0));
      assertThat(get(state.rates().count("a", 1))).isZero();
      assertThat(get(state.usage().consume(rules, "f", 1_001)).isAllowed()).isFalse();
      get(state.usage().release(rules, "e"));
      assertThat(get(state.usage().peek(rules, "e", 1_001)).get(0).used()).isZero();
      Await.get(state.close());
    }
  }

  private static String counter(Fixture f, String name) {
    return f.prefix() + ":rl:1:" + f.key(name);
  }

  private static List<RateScope> scopes(String... keys) {
    return IntStream.range(0, keys.length)
        .mapToObj(i -> new RateScope("s" + i, keys[i], 2))
        .toList();
  }
}
