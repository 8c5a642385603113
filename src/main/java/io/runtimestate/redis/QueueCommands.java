package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.ADMIN;
import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.QueueOperation.Append;
import io.runtimestate.operation.QueueOperation.AppendAll;
import io.runtimestate.operation.QueueOperation.Delete;
import io.runtimestate.operation.QueueOperation.EnsureGroup;
import io.runtimestate.operation.QueueOperation.Groups;
import io.runtimestate.operation.QueueOperation.Read;
import io.runtimestate.operation.QueueOperation.RemoveGroup;
import io.runtimestate.operation.QueueOperation.Stats;
import io.runtimestate.operation.QueueOperation.Trim;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Map;

/** Streams: what goes in, what is delivered, what is thrown away. */
final class QueueCommands implements Family {
  private static final Script ENSURE_GROUP = Script.load("queue_ensure_group");
  private static final Script APPEND = Script.load("stream", "queue_append");
  private static final Script DELETE = Script.load("stream", "queue_delete");
  private static final Script REMOVE_GROUP = Script.load("queue_remove_group");
  private static final Script GROUPS = Script.load("stream", "stream_lag", "queue_groups");
  private static final Script TRIM = Script.load("stream", "queue_trim");
  private static final Script STATS = Script.load("stream", "stream_lag", "queue_stats");
  private static final int TRIM_STEP = 1_000;

  private final Keyspace keys;
  private final StreamCounts counts;

  QueueCommands(Keyspace keys, StreamCounts counts) {
    this.keys = keys;
    this.counts = counts;
  }

  @Override
  public void register(Commands commands) {
    commands.on(EnsureGroup.class, FAST, this::ensureGroup, Replies::flag);
    commands.on(Append.class, this::append);
    commands.on(AppendAll.class, this::appendAll);
    commands.on(Read.class, this::read);
    commands.on(Delete.class, this::delete);
    commands.on(RemoveGroup.class, FAST, this::removeGroup, Replies::flag);
    commands.on(
        Groups.class, FAST, groups -> GROUPS.on(keys.data(groups.stream())), StreamReplies::groups);
    commands.on(Trim.class, this::trim);
    commands.on(Stats.class, FAST, this::stats, StreamReplies::stats);
  }

  @Override
  public List<Script> scripts() {
    return List.of(ENSURE_GROUP, APPEND, DELETE, REMOVE_GROUP, GROUPS, TRIM, STATS);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    return List.of(
        key(Command.XADD, unused).arg("NOMKSTREAM").arg("*").arg("").arg(""),
        key(Command.XLEN, unused),
        key(Command.XRANGE, unused).arg("-").arg("+"),
        key(Command.XREVRANGE, unused).arg("+").arg("-"),
        key(Command.XDEL, unused).arg("0-0"),
        key(Command.XTRIM, unused).arg("MAXLEN").arg(0),
        key(Command.EXISTS, unused),
        groupCommand("CREATE", unused).arg("0"),
        groupCommand("DESTROY", unused),
        RedisCommand.of(Command.XINFO).arg("STREAM").arg(keys.data(unused)),
        RedisCommand.of(Command.XINFO).arg("GROUPS").arg(keys.data(unused)),
        reading(unused, "group", "consumer", 1).arg("STREAMS").arg(keys.data(unused)).arg(">"));
  }

  private RedisCommand groupCommand(String verb, String stream) {
    return RedisCommand.of(Command.XGROUP).arg(verb).arg(keys.data(stream)).arg("group");
  }

  private RedisCommand key(Command command, String key) {
    return RedisCommand.of(command).arg(keys.data(key));
  }

  private RedisCommand ensureGroup(EnsureGroup ensure) {
    return ENSURE_GROUP.on(keys.data(ensure.stream())).arg(ensure.group()).arg(ensure.start());
  }

  private RedisCommand removeGroup(RemoveGroup remove) {
    return REMOVE_GROUP.on(keys.data(remove.stream())).arg(remove.group());
  }

  private RedisCommand stats(Stats stats) {
    return STATS
        .on(keys.data(stats.stream()))
        .arg(stats.group().orElse(""))
        .arg(StreamReplies.NACKED_MILLIS);
  }

  // ---- appending

  private Future<String> append(Append append, Call call) {
    long limit = append.maxLen().orElse(0);
    return limit == 0
        ? call.send(FAST, adding(append), Replies::text)
        : append(append.stream(), List.of(append.fields()), limit, call).map(ids -> ids.get(0));
  }

  private RedisCommand adding(Append append) {
    return pairs(key(Command.XADD, append.stream()).arg("*"), append.fields());
  }

  private static RedisCommand pairs(RedisCommand command, Map<String, String> fields) {
    fields.forEach((name, value) -> command.arg(name).arg(value));
    return command;
  }

  private Future<List<String>> appendAll(AppendAll append, Call call) {
    return append.entries().isEmpty()
        ? call.answer(List.of())
        : append(append.stream(), append.entries(), append.maxLen().orElse(0), call);
  }

  private Future<List<String>> append(
      String stream, List<Map<String, String>> entries, long limit, Call call) {
    RedisCommand command = APPEND.on(keys.data(stream)).room(1 + words(entries)).arg(limit);
    entries.forEach(fields -> pairs(command.arg(fields.size() * 2L), fields));
    return call.send(FAST, command, this::appended);
  }

  private static int words(List<Map<String, String>> entries) {
    int words = entries.size();
    for (Map<String, String> fields : entries) {
      words += 2 * fields.size();
    }
    return words;
  }

  private List<String> appended(Response reply) {
    counts.trimmedUnfinished(Replies.integer(Replies.list(reply).get(0)));
    return Replies.each(reply, 1, Replies::text);
  }

  // ---- reading

  private Future<List<QueueEntry>> read(Read read, Call call) {
    Future<List<QueueEntry>> entries =
        read.block().isPresent()
            ? call.block(read, this::reading)
                .compose(found -> found.isEmpty() ? stillThere(read, call) : call.done(found))
            : readNow(read, call);
    return entries.recover(failure -> whichIsMissing(read, failure, call));
  }

  Future<List<QueueEntry>> readNow(Read read, Call call) {
    return call.send(FAST, reading(read, 0), StreamReplies::read);
  }

  /**
   * @param blockMillis how long the server waits for an entry; 0 for not at all
   */
  private RedisCommand reading(Read read, long blockMillis) {
    RedisCommand command = reading(read.stream(), read.group(), read.consumer(), read.count());
    if (blockMillis > 0) {
      command.arg("BLOCK").arg(blockMillis);
    }
    return command.arg("STREAMS").arg(keys.data(read.stream())).arg(">");
  }

  private RedisCommand reading(String stream, String group, String consumer, int count) {
    return RedisCommand.of(Command.XREADGROUP)
        .arg("GROUP")
        .arg(group)
        .arg(consumer)
        .arg("COUNT")
        .arg(count);
  }

  /**
   * Servers before 7.0 end a blocked read with nothing when its stream has gone meanwhile, or when
   * something else is in its place. A look that fails otherwise proves neither.
   */
  private Future<List<QueueEntry>> stillThere(Read read, Call call) {
    RedisCommand look = key(Command.XPENDING, read.stream()).arg(read.group());
    return call.send(FAST, look, pending -> List.<QueueEntry>of())
        .recover(
            failure ->
                isMissing(failure) || isCode(failure, FailureCode.WRONG_TYPE)
                    ? call.failed(failure)
                    : call.done(List.of()));
  }

  /** The server has one word for a missing stream and a missing group. */
  private <R> Future<R> whichIsMissing(Read read, Throwable failure, Call call) {
    return isMissing(failure)
        ? call.orNoStream(keys.data(read.stream()), failure)
        : call.failed(failure);
  }

  private static boolean isMissing(Throwable failure) {
    return isCode(failure, FailureCode.NO_SUCH_GROUP);
  }

  private static boolean isCode(Throwable failure, FailureCode code) {
    return failure instanceof RuntimeStateException known && known.code() == code;
  }

  // ---- removing

  private Future<Long> delete(Delete delete, Call call) {
    String key = keys.data(delete.stream());
    return StreamIds.inPieces(
            call,
            delete.ids(),
            (lane, ids) -> call.send(lane, DELETE.on(key).args(ids), Replies::integer))
        .map(StreamIds::sum);
  }

  private Future<Long> trim(Trim trim, Call call) {
    Promise<Long> done = call.promise();
    trimStep(trim, call, 0, Long.MAX_VALUE, done);
    return done.future();
  }

  /** What was too much at the first step is removed; appends meanwhile do not prolong it. */
  private void trimStep(Trim trim, Call call, long removed, long left, Promise<Long> done) {
    RedisCommand command =
        TRIM.on(keys.data(trim.stream())).arg(trim.maxLen()).arg(Math.min(left, TRIM_STEP));
    call.send(ADMIN, command, this::trimmed)
        .onComplete(
            step -> {
              long rest = Math.min(left, step.surplus) - step.removed;
              if (rest <= 0 || step.removed == 0) {
                done.complete(removed + step.removed);
              } else {
                trimStep(trim, call, removed + step.removed, rest, done);
              }
            },
            failure -> done.fail(call.flagged(failure, removed > 0)));
  }

  private record TrimStep(long removed, long surplus) {}

  private TrimStep trimmed(Response reply) {
    counts.trimmedUnfinished(Replies.integer(reply.get(2)));
    return new TrimStep(Replies.integer(reply.get(0)), Replies.integer(reply.get(1)));
  }
}
