package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.ADMIN;
import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.operation.ScoreOperation.Count;
import io.runtimestate.operation.ScoreOperation.GetMany;
import io.runtimestate.operation.ScoreOperation.Increment;
import io.runtimestate.operation.ScoreOperation.PopLowest;
import io.runtimestate.operation.ScoreOperation.Range;
import io.runtimestate.operation.ScoreOperation.RecordSample;
import io.runtimestate.operation.ScoreOperation.Remove;
import io.runtimestate.operation.ScoreOperation.RemoveByRank;
import io.runtimestate.operation.ScoreOperation.RemoveByScore;
import io.runtimestate.operation.ScoreOperation.Set;
import io.runtimestate.operation.ScoreOperation.SetAll;
import io.runtimestate.operation.ScoreOperation.Size;
import io.runtimestate.operation.ScoreOperation.WindowStats;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** Scores. */
final class ScoreCommands implements Family {
  private static final Script INCREMENT = Script.load("score_increment");
  private static final Script RANGE_BY_RANK = Script.load("score_range");
  private static final Script WINDOW_STATS = Script.load("window_stats");
  private static final Script RECORD_SAMPLE = Script.load("record_sample");
  private static final int LONGEST_WALK = 1_000;
  private static final int KEYS_PER_BATCH = 16;
  private static final long NO_SCORE_HAS_MORE = 1L << 52;
  private static final String ABSENT = "";

  private final Keyspace keys;

  ScoreCommands(Keyspace keys) {
    this.keys = keys;
  }

  @Override
  public void register(Commands commands) {
    commands.on(Set.class, FAST, this::set, Replies::flag);
    commands.on(SetAll.class, this::setAll);
    commands.on(Increment.class, this::increment);
    commands.on(GetMany.class, this::getMany);
    commands.on(Range.class, this::range);
    commands.on(Count.class, FAST, this::count, Replies::integer);
    commands.on(Size.class, FAST, size -> key(Command.ZCARD, size.key()), Replies::integer);
    commands.on(Remove.class, FAST, this::remove, Replies::flag);
    commands.on(RemoveByScore.class, FAST, this::removeByScore, Replies::integer);
    commands.on(RemoveByRank.class, FAST, this::removeByRank, Replies::integer);
    commands.on(PopLowest.class, FAST, this::popLowest, Replies::scoredMembers);
    commands.on(WindowStats.class, this::windowStats);
    commands.on(RecordSample.class, FAST, this::recordSample, Replies::integer);
  }

  @Override
  public List<Script> scripts() {
    return List.of(INCREMENT, RANGE_BY_RANK, WINDOW_STATS, RECORD_SAMPLE);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    return List.of(
        key(Command.ZADD, unused).arg("none").arg(""),
        key(Command.ZINCRBY, unused).arg("none").arg(""),
        key(Command.ZSCORE, unused).arg(""),
        key(Command.ZCARD, unused),
        key(Command.ZCOUNT, unused).arg(0).arg(0),
        key(Command.ZRANGE, unused).arg(0).arg(0),
        key(Command.ZREMRANGEBYSCORE, unused).arg(0).arg(0),
        key(Command.ZREMRANGEBYRANK, unused).arg(0).arg(0),
        key(Command.ZMSCORE, unused).arg(""),
        key(Command.ZREM, unused).arg(""),
        key(Command.ZPOPMIN, unused),
        key(Command.PEXPIRE, unused).arg(1));
  }

  private RedisCommand key(Command command, String key) {
    return RedisCommand.of(command).arg(keys.data(key));
  }

  private RedisCommand set(Set set) {
    return key(Command.ZADD, set.key()).arg(set.score()).arg(set.member());
  }

  private Future<Long> setAll(SetAll set, Call call) {
    return Chunks.inOrder(call, set.members(), piece -> setPiece(set.key(), piece, call))
        .map(counts -> counts.stream().mapToLong(Long::longValue).sum());
  }

  private Future<Long> setPiece(String key, List<ScoredMember> piece, Call call) {
    RedisCommand command = key(Command.ZADD, key);
    piece.forEach(each -> command.arg(each.score().getAsDouble()).arg(each.member()));
    return call.send(FAST, command, Replies::integer);
  }

  private Future<Double> increment(Increment increment, Call call) {
    RedisCommand command =
        INCREMENT.on(keys.data(increment.key())).arg(increment.delta()).arg(increment.member());
    return call.send(FAST, command, reply -> sum(reply, call));
  }

  private static double sum(Response reply, Call call) {
    if (reply == null) {
      throw call.failure(FailureCode.INVALID_INPUT, "delta must keep the score finite", false);
    }
    return Replies.decimal(reply);
  }

  private Future<List<Optional<Double>>> getMany(GetMany get, Call call) {
    return Chunks.together(call, get.members(), piece -> getPiece(get.key(), piece, call))
        .map(pieces -> pieces.stream().flatMap(List::stream).toList());
  }

  private Future<List<Optional<Double>>> getPiece(String key, List<String> piece, Call call) {
    return call.send(FAST, key(Command.ZMSCORE, key).args(piece), Replies::optionalDecimals);
  }

  private Future<List<ScoredMember>> range(Range range, Call call) {
    return call.send(
        range.limit().isEmpty() ? ADMIN : FAST,
        range.offset() > LONGEST_WALK ? byRank(range) : byScore(range),
        range.withScores() ? Replies::scoredMembers : Replies::members);
  }

  /** The server walks over what the offset skips. */
  private RedisCommand byScore(Range range) {
    RedisCommand command = key(Command.ZRANGE, range.key());
    if (range.reverse()) {
      command.arg(range.max()).arg(range.min()).arg("BYSCORE").arg("REV");
    } else {
      command.arg(range.min()).arg(range.max()).arg("BYSCORE");
    }
    command.arg("LIMIT").arg(range.offset()).arg(range.limit().orElse(-1));
    return range.withScores() ? command.arg("WITHSCORES") : command;
  }

  private RedisCommand byRank(Range range) {
    return RANGE_BY_RANK
        .on(keys.data(range.key()))
        .arg(range.min())
        .arg(range.max())
        .arg(Math.min(range.offset(), NO_SCORE_HAS_MORE))
        .arg(range.limit().orElse(Integer.MAX_VALUE))
        .arg(range.reverse() ? 1 : 0)
        .arg(range.withScores() ? 1 : 0);
  }

  private RedisCommand count(Count count) {
    return key(Command.ZCOUNT, count.key()).arg(count.min()).arg(count.max());
  }

  private RedisCommand remove(Remove remove) {
    return key(Command.ZREM, remove.key()).arg(remove.member());
  }

  private RedisCommand removeByScore(RemoveByScore remove) {
    return key(Command.ZREMRANGEBYSCORE, remove.key()).arg("-inf").arg(remove.max());
  }

  private RedisCommand removeByRank(RemoveByRank remove) {
    return key(Command.ZREMRANGEBYRANK, remove.key()).arg(remove.start()).arg(remove.stop());
  }

  private RedisCommand popLowest(PopLowest pop) {
    return key(Command.ZPOPMIN, pop.key()).arg(pop.count());
  }

  private Future<List<Optional<io.runtimestate.data.WindowStats>>> windowStats(
      WindowStats stats, Call call) {
    return Chunks.inOrder(
            call, stats.keys(), KEYS_PER_BATCH, batch -> batchStats(batch, stats.min(), call))
        .map(batches -> batches.stream().flatMap(List::stream).toList());
  }

  private Future<List<Optional<io.runtimestate.data.WindowStats>>> batchStats(
      List<String> batch, double min, Call call) {
    return Chunks.together(
        call,
        batch,
        1,
        one -> {
          RedisCommand command = WINDOW_STATS.on(keys.data(one.get(0))).arg(min);
          return call.send(FAST, command, ScoreCommands::stats);
        });
  }

  private static Optional<io.runtimestate.data.WindowStats> stats(Response reply) {
    if (reply == null) {
      return Optional.empty();
    }
    List<String> parts = Replies.texts(reply);
    return Optional.of(
        new io.runtimestate.data.WindowStats(
            new BigInteger(parts.get(0)), Long.parseLong(parts.get(1))));
  }

  private RedisCommand recordSample(RecordSample sample) {
    boolean old =
        sample.keepAbove().isPresent() && sample.score() <= sample.keepAbove().getAsDouble();
    RedisCommand command =
        RECORD_SAMPLE.on(keys.data(sample.key())).arg(sample.member()).arg(sample.score());
    sample.keepAbove().ifPresentOrElse(command::arg, () -> command.arg(ABSENT));
    return command
        .arg(old ? 1 : 0)
        .arg(sample.maxSize().isPresent() ? sample.maxSize().getAsInt() : 0)
        .arg(sample.ttl());
  }
}
