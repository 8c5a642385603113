package io.runtimestate.bench;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * How long a single call keeps the server from everybody else when very much has expired, by the
 * server's own slow log. Removing k scores is one command of the server, and takes it as long as it
 * takes; the checks of usage limits remove in small steps.
 */
final class PauseScenario implements Scenario {
  private static final int LIVE = 100;
  private static final int STEP = 2_000;
  private static final int REMOVED_PER_CHECK = 1_000;
  private static final double LONGEST_MILLIS = 10;
  private static final Duration WINDOW = Duration.ofSeconds(60);
  private static final String WINDOW_KEY = "{window}";
  private static final String SCORE_KEY = "scores";

  @Override
  public String name() {
    return "redis-pauses";
  }

  @Override
  public String title() {
    return "Redis: the longest time a call keeps the server busy when very much is old";
  }

  @Override
  public void run(Bench bench) throws Exception {
    try (RedisStage stage = new RedisStage(bench.arguments());
        RedisSide side = RedisSide.open(stage.uri())) {
      side.command("CONFIG", "SET", "slowlog-log-slower-than", "0");
      side.command("CONFIG", "SET", "slowlog-max-len", "100000");
      Pauses pauses = new Pauses(bench, stage, side, bench.arguments().keys());
      pauses.ofUsageWindows();
      pauses.ofScores();
    }
  }

  private static final class Pauses {
    private final Bench bench;
    private final RedisStage stage;
    private final RedisSide side;
    private final RuntimeState state;
    private final int old;

    Pauses(Bench bench, RedisStage stage, RedisSide side, int old) throws Exception {
      this.bench = bench;
      this.stage = stage;
      this.side = side;
      this.state = stage.state();
      this.old = old;
    }

    void ofUsageWindows() throws Exception {
      long now = old + WINDOW.toMillis() + LIVE;
      List<UsageRule> rules = List.of(new UsageRule(WINDOW_KEY, Integer.MAX_VALUE, WINDOW));
      fillWindow(now);
      tell(
          "usage.consume until " + old + " expired events are gone, " + LIVE + " others stay",
          2 * old / REMOVED_PER_CHECK,
          i -> state.usage().consume(rules, "new-" + i, now),
          Target.atMost(LONGEST_MILLIS));
      side.command("DEL", usageKey());
      fill(usageKey());
      side.command("ZADD", usageKey(), "-" + 10 * now, "");
      tell(
          "usage.consume when all " + old + " events have expired",
          1,
          i -> state.usage().consume(rules, "new-" + i, now),
          Target.atMost(LONGEST_MILLIS));
    }

    /** As many dead events as asked for, and a few that count. */
    private void fillWindow(long now) {
      fill(usageKey());
      side.command("ZADD", usageKey(), "-" + 10 * now, "");
      for (int i = 0; i < LIVE; i++) {
        side.command("ZADD", usageKey(), "" + (now - i), "live-" + i);
      }
    }

    void ofScores() throws Exception {
      fill(scoreKey());
      tell("score.windowStats of " + old + " members", 1, i -> stats(), null);
      tell("score.recordSample that drops " + old + " old members", 1, i -> sample(), null);
      fill(scoreKey());
      tell(
          "score.removeByScore of " + old + " members",
          1,
          i -> state.scores().removeByScore(SCORE_KEY, old),
          null);
      fill(scoreKey());
      tell(
          "key.delete of a score with " + old + " members",
          1,
          i -> state.keys().delete(SCORE_KEY),
          Target.atMost(LONGEST_MILLIS));
    }

    private Future<?> stats() {
      return state.scores().windowStats(List.of(SCORE_KEY), 0);
    }

    private Future<?> sample() {
      return state
          .scores()
          .recordSample(
              SCORE_KEY,
              "new:1",
              2.0 * old,
              OptionalDouble.of(old),
              OptionalInt.empty(),
              Stage.TTL);
    }

    private void tell(String what, int calls, IntFunction<Future<?>> call, Target target)
        throws Exception {
      side.command("SLOWLOG", "RESET");
      Chain.on(stage.caller, calls, call);
      bench.figure("longest: " + what, longestMillis(), "ms", target);
    }

    /** Each entry has a number, a time, and then how many microseconds it took. */
    private double longestMillis() {
      List<?> entries = (List<?>) side.command("SLOWLOG", "GET", "-1");
      return entries.stream().mapToLong(entry -> (Long) ((List<?>) entry).get(2)).max().orElse(0)
          / 1e3;
    }

    /** In pieces, because a server that runs one script for seconds refuses everybody else. */
    private void fill(String key) {
      String script =
          "for i = ARGV[1], ARGV[2] do redis.call('ZADD', KEYS[1], i, 'old-' .. i .. ':1') end";
      for (int from = 0; from < old; from += STEP) {
        String last = Integer.toString(Math.min(from + STEP, old) - 1);
        side.command("EVAL", script, "1", key, Integer.toString(from), last);
      }
    }

    private String scoreKey() {
      return state.namespaceKey(SCORE_KEY);
    }

    private String usageKey() {
      return scoreKey().replace(":d:" + SCORE_KEY, ":ul:" + WINDOW_KEY);
    }
  }
}
