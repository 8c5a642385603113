package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.ADMIN;
import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.ScanPage;
import io.runtimestate.data.Utf8;
import io.runtimestate.operation.KeyOperation.Delete;
import io.runtimestate.operation.KeyOperation.DeleteMany;
import io.runtimestate.operation.KeyOperation.Exists;
import io.runtimestate.operation.KeyOperation.Expire;
import io.runtimestate.operation.KeyOperation.Persist;
import io.runtimestate.operation.KeyOperation.Scan;
import io.runtimestate.operation.KeyOperation.Ttl;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Keys of any data type. */
final class KeyCommands implements Family {
  private static final Pattern GLOB = Pattern.compile("[*?\\[\\]\\\\^-]");

  private final Keyspace keys;

  KeyCommands(Keyspace keys) {
    this.keys = keys;
  }

  /** What the server said: some keys, and where its walk goes on. */
  private record Page(List<String> keys, ScanCursor next) {}

  @Override
  public void register(Commands commands) {
    commands.on(Delete.class, FAST, delete -> key(Command.UNLINK, delete.key()), Replies::flag);
    commands.on(DeleteMany.class, this::deleteMany);
    commands.on(Exists.class, FAST, exists -> key(Command.EXISTS, exists.key()), Replies::flag);
    commands.on(Ttl.class, FAST, ttl -> key(Command.PTTL, ttl.key()), Replies::ttl);
    commands.on(Expire.class, FAST, this::expire, Replies::flag);
    commands.on(Persist.class, FAST, keep -> key(Command.PERSIST, keep.key()), Replies::flag);
    commands.on(Scan.class, this::scan);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    return List.of(
        key(Command.UNLINK, unused),
        key(Command.EXISTS, unused),
        key(Command.PTTL, unused),
        key(Command.PEXPIRE, unused).arg(1),
        key(Command.PERSIST, unused),
        RedisCommand.of(Command.SCAN).arg("none"));
  }

  private RedisCommand key(Command command, String key) {
    return RedisCommand.of(command).arg(keys.data(key));
  }

  private RedisCommand expire(Expire expire) {
    return expire.ttl().isZero()
        ? key(Command.UNLINK, expire.key())
        : key(Command.PEXPIRE, expire.key()).arg(expire.ttl());
  }

  private Future<Long> deleteMany(DeleteMany delete, Call call) {
    Function<List<String>, Future<Long>> send = piece -> deletePiece(piece, call);
    Future<List<Long>> pieces =
        call.hasSlots()
            ? Chunks.bySlot(call, delete.keys(), keys::data, send)
            : Chunks.together(call, delete.keys(), send);
    return pieces.map(counts -> counts.stream().mapToLong(Long::longValue).sum());
  }

  private Future<Long> deletePiece(List<String> piece, Call call) {
    RedisCommand command = RedisCommand.of(Command.UNLINK).args(keys.data(piece));
    return call.send(ADMIN, command, Replies::integer);
  }

  private Future<ScanPage> scan(Scan scan, Call call) {
    Optional<ScanCursor> from =
        scan.cursor().isEmpty()
            ? Optional.of(ScanCursor.start())
            : scan.cursor().flatMap(text -> ScanCursor.read(text, scan.pattern()));
    if (from.isEmpty() || !scan.isPrefix() && scan.cursor().isPresent()) {
      return call.fail(
          FailureCode.INVALID_INPUT, "cursor must come from a page of the same pattern");
    }
    return scan.isPrefix() ? walk(scan, from.get(), call) : lookUp(scan.literal(), call);
  }

  /** An exact key needs no walk. */
  private Future<ScanPage> lookUp(String key, Call call) {
    return call.send(FAST, key(Command.EXISTS, key), Replies::flag)
        .map(exists -> new ScanPage(exists ? List.of(key) : List.of(), Optional.empty()));
  }

  private Future<ScanPage> walk(Scan scan, ScanCursor from, Call call) {
    return call.sendReading(ADMIN, scanning(scan, from), (reply, link) -> page(from, reply, link))
        .compose(page -> usable(scan, from, page, call));
  }

  /** Another process has answered than the one that gave the cursor: from the start, once more. */
  private Future<ScanPage> usable(Scan scan, ScanCursor from, Page page, Call call) {
    boolean other = !from.isStart() && !from.serverId().equals(page.next.serverId());
    return other
        ? walk(scan, ScanCursor.startOf(from.slot()), call)
        : call.caller().succeededFuture(rawPage(scan, page, call));
  }

  private ScanPage rawPage(Scan scan, Page page, Call call) {
    List<String> raw =
        page.keys.stream().map(keys::raw).distinct().sorted(Utf8.BYTE_ORDER).toList();
    Optional<ScanCursor> next =
        page.next.isStart() ? nextServer(page.next.slot(), call) : Optional.of(page.next);
    return new ScanPage(raw, next.map(cursor -> cursor.write(scan.pattern())));
  }

  private static Optional<ScanCursor> nextServer(int slot, Call call) {
    return call.shards().stream()
        .filter(shard -> shard > slot)
        .findFirst()
        .map(ScanCursor::startOf);
  }

  private RedisCommand scanning(Scan scan, ScanCursor from) {
    String literal = GLOB.matcher(keys.data(scan.literal())).replaceAll("\\\\$0");
    return RedisCommand.of(Command.SCAN)
        .arg(from.position())
        .arg("MATCH")
        .arg(literal + "*")
        .arg("COUNT")
        .arg(scan.countHint())
        .to(from.slot());
  }

  private static Page page(ScanCursor from, Response reply, Link link) {
    List<Response> parts = Replies.list(reply);
    ScanCursor next = new ScanCursor(from.slot(), link.serverId(), Replies.text(parts.get(0)));
    return new Page(Replies.texts(parts.get(1)), next);
  }
}
