package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.ADMIN;
import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.Utf8;
import io.runtimestate.operation.SetOperation.Add;
import io.runtimestate.operation.SetOperation.AddAll;
import io.runtimestate.operation.SetOperation.Contains;
import io.runtimestate.operation.SetOperation.Members;
import io.runtimestate.operation.SetOperation.Remove;
import io.runtimestate.operation.SetOperation.RemoveAll;
import io.runtimestate.operation.SetOperation.Size;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.util.List;

/** Sets. */
final class SetCommands implements Family {
  private static final int SORTED_IN_PLACE = 2_000;

  /** SADD has no form without effect, so it is tried on a text, which refuses it. */
  private static final String ADD_TO_TEXT =
      "redis.pcall('SET', KEYS[1], '') local refusal = redis.pcall('SADD', KEYS[1], '')"
          + " redis.call('UNLINK', KEYS[1]) return refusal";

  private final Keyspace keys;

  SetCommands(Keyspace keys) {
    this.keys = keys;
  }

  @Override
  public void register(Commands commands) {
    commands.on(Add.class, FAST, add -> one(Command.SADD, add.key(), add.member()), Replies::flag);
    commands.on(AddAll.class, (add, call) -> all(Command.SADD, add.key(), add.members(), call));
    commands.on(
        Remove.class,
        FAST,
        remove -> one(Command.SREM, remove.key(), remove.member()),
        Replies::flag);
    commands.on(
        RemoveAll.class, (remove, call) -> all(Command.SREM, remove.key(), remove.members(), call));
    commands.on(
        Contains.class,
        FAST,
        contains -> one(Command.SISMEMBER, contains.key(), contains.member()),
        Replies::flag);
    commands.on(Members.class, this::members);
    commands.on(Size.class, FAST, size -> key(Command.SCARD, size.key()), Replies::integer);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    return List.of(
        one(Command.SREM, unused, ""),
        one(Command.SISMEMBER, unused, ""),
        key(Command.SCARD, unused),
        key(Command.SMEMBERS, unused),
        RedisCommand.of(Command.EVAL).arg(ADD_TO_TEXT).arg(1).arg(keys.data(unused)));
  }

  private RedisCommand key(Command command, String key) {
    return RedisCommand.of(command).arg(keys.data(key));
  }

  private RedisCommand one(Command command, String key, String member) {
    return key(command, key).arg(member);
  }

  private Future<Long> all(Command command, String key, List<String> members, Call call) {
    return Chunks.inOrder(
            call,
            members,
            piece -> call.send(FAST, key(command, key).args(piece), Replies::integer))
        .map(counts -> counts.stream().mapToLong(Long::longValue).sum());
  }

  private Future<List<String>> members(Members members, Call call) {
    return call.send(ADMIN, key(Command.SMEMBERS, members.key()), Replies::texts)
        .compose(texts -> sorted(texts, call));
  }

  /** Sorting many texts is too long a step for an event loop. */
  private static Future<List<String>> sorted(List<String> texts, Call call) {
    return texts.size() <= SORTED_IN_PLACE
        ? call.caller().succeededFuture(sorted(texts))
        : call.caller().executeBlocking(() -> sorted(texts), false);
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted(Utf8.BYTE_ORDER).toList();
  }
}
