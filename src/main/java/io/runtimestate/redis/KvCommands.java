package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.KeyValue;
import io.runtimestate.operation.KvOperation.CompareAndSet;
import io.runtimestate.operation.KvOperation.DeleteIfEquals;
import io.runtimestate.operation.KvOperation.Get;
import io.runtimestate.operation.KvOperation.GetMany;
import io.runtimestate.operation.KvOperation.Increment;
import io.runtimestate.operation.KvOperation.Set;
import io.runtimestate.operation.KvOperation.SetIfAbsent;
import io.runtimestate.operation.KvOperation.SetMany;
import io.runtimestate.operation.KvOperation.Take;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Values. */
final class KvCommands implements Family {
  private static final Script COMPARE_AND_SET = Script.load("compare_and_set");
  private static final Script DELETE_IF_EQUALS = Script.load("delete_if_equals");
  private static final Script INCREMENT = Script.load("increment");
  private static final Script SET_MANY = Script.load("set_many");
  private static final String NO_TTL = "";

  private final Keyspace keys;

  KvCommands(Keyspace keys) {
    this.keys = keys;
  }

  @Override
  public void register(Commands commands) {
    commands.on(Set.class, this::set);
    commands.on(SetIfAbsent.class, FAST, this::setIfAbsent, Replies::happened);
    commands.on(Get.class, FAST, get -> key(Command.GET, get.key()), Replies::optionalText);
    commands.on(GetMany.class, this::getMany);
    commands.on(SetMany.class, this::setMany);
    commands.on(Take.class, FAST, take -> key(Command.GETDEL, take.key()), Replies::optionalText);
    commands.on(CompareAndSet.class, this::compareAndSet);
    commands.on(DeleteIfEquals.class, FAST, this::deleteIfEquals, Replies::flag);
    commands.on(Increment.class, FAST, this::increment, Replies::integer);
  }

  @Override
  public List<Script> scripts() {
    return List.of(COMPARE_AND_SET, DELETE_IF_EQUALS, INCREMENT, SET_MANY);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    return List.of(
        key(Command.GET, unused),
        key(Command.MGET, unused),
        key(Command.SET, unused).arg("").arg("XX"),
        key(Command.GETDEL, unused),
        key(Command.EXISTS, unused),
        key(Command.UNLINK, unused),
        key(Command.INCRBY, unused).arg("none"),
        key(Command.PEXPIRE, unused).arg(1),
        RedisCommand.of(Command.EVALSHA).arg("none").arg(1).arg(keys.data(unused)),
        RedisCommand.of(Command.EVAL).arg("return 1").arg(1).arg(keys.data(unused)));
  }

  private RedisCommand key(Command command, String key) {
    return RedisCommand.of(command, 1).arg(keys.data(key));
  }

  private Future<Void> set(Set set, Call call) {
    return isZero(set.ttl())
        ? call.sendOnly(FAST, key(Command.UNLINK, set.key()), Replies::counted)
        : call.sendOnly(FAST, setting(set), Replies::ok);
  }

  private RedisCommand setting(Set set) {
    RedisCommand command = key(Command.SET, set.key()).arg(set.value()).px(set.ttl());
    return set.keepTtl() ? command.arg("KEEPTTL") : command;
  }

  private RedisCommand setIfAbsent(SetIfAbsent set) {
    return setIfAbsent(set.key(), set.value(), set.ttl());
  }

  private RedisCommand setIfAbsent(String key, String value, Optional<Duration> ttl) {
    return key(Command.SET, key).arg(value).arg("NX").px(ttl);
  }

  private Future<List<Optional<String>>> getMany(GetMany get, Call call) {
    return call.hasSlots() ? getBySlot(get.keys(), call) : getInOrder(get.keys(), call);
  }

  /** The pieces answer in an order of their own. */
  private Future<List<Optional<String>>> getBySlot(List<String> wanted, Call call) {
    Map<String, Optional<String>> found = new HashMap<>();
    return Chunks.bySlot(
            call,
            wanted.stream().distinct().toList(),
            keys::data,
            piece -> getPiece(piece, call).onSuccess(values -> collect(piece, values, found)))
        .map(done -> wanted.stream().map(found::get).toList());
  }

  private static void collect(
      List<String> piece, List<Optional<String>> values, Map<String, Optional<String>> found) {
    for (int i = 0; i < piece.size(); i++) {
      found.put(piece.get(i), values.get(i));
    }
  }

  private Future<List<Optional<String>>> getInOrder(List<String> wanted, Call call) {
    return Chunks.together(call, wanted, piece -> getPiece(piece, call))
        .map(pieces -> pieces.stream().flatMap(List::stream).toList());
  }

  private Future<List<Optional<String>>> getPiece(List<String> piece, Call call) {
    RedisCommand command = RedisCommand.of(Command.MGET).args(keys.data(piece));
    return call.send(FAST, command, Replies::optionalTexts);
  }

  private Future<Void> setMany(SetMany set, Call call) {
    Function<List<KeyValue>, Future<Void>> send = piece -> setPiece(piece, set.ttl(), call);
    return call.hasSlots()
        ? Chunks.bySlot(call, set.entries(), entry -> keys.data(entry.key()), send).mapEmpty()
        : Chunks.inOrder(call, set.entries(), send).mapEmpty();
  }

  private Future<Void> setPiece(List<KeyValue> piece, Optional<Duration> ttl, Call call) {
    List<String> names = piece.stream().map(entry -> keys.data(entry.key())).toList();
    List<String> values = piece.stream().map(KeyValue::value).toList();
    return isZero(ttl)
        ? call.send(FAST, RedisCommand.of(Command.UNLINK).args(names), Replies::counted)
        : call.send(FAST, SET_MANY.on(names).arg(millis(ttl)).args(values), Replies::ok);
  }

  private Future<Boolean> compareAndSet(CompareAndSet set, Call call) {
    return set.expected().isEmpty()
        ? call.send(FAST, setIfAbsent(set.key(), set.value(), set.ttl()), Replies::happened)
        : call.send(FAST, comparing(set, set.expected().get()), Replies::flag);
  }

  private RedisCommand comparing(CompareAndSet set, String expected) {
    return COMPARE_AND_SET
        .on(keys.data(set.key()))
        .arg(expected)
        .arg(set.value())
        .arg(millis(set.ttl()));
  }

  private RedisCommand deleteIfEquals(DeleteIfEquals delete) {
    return DELETE_IF_EQUALS.on(keys.data(delete.key())).arg(delete.expected());
  }

  private RedisCommand increment(Increment increment) {
    return increment.ttl().isEmpty()
        ? key(Command.INCRBY, increment.key()).arg(increment.delta())
        : INCREMENT
            .on(keys.data(increment.key()))
            .arg(increment.delta())
            .arg(increment.ttl().get());
  }

  private static boolean isZero(Optional<Duration> ttl) {
    return ttl.isPresent() && ttl.get().isZero();
  }

  private static String millis(Optional<Duration> ttl) {
    return ttl.map(time -> Long.toString(time.toMillis())).orElse(NO_TTL);
  }
}
