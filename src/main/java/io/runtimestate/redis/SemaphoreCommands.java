package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.CONTROL;
import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.PermitDecision;
import io.runtimestate.data.PermitHolder;
import io.runtimestate.data.PermitUsage;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.operation.SemaphoreOperation.Holders;
import io.runtimestate.operation.SemaphoreOperation.Release;
import io.runtimestate.operation.SemaphoreOperation.Renew;
import io.runtimestate.operation.SemaphoreOperation.Snapshot;
import io.runtimestate.operation.SemaphoreOperation.TryAcquire;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Semaphores: permits in a sorted set, by the unix milliseconds of their end. */
final class SemaphoreCommands implements Family {
  private static final Script ACQUIRE = Script.load("semaphore_acquire");
  private static final Script RENEW = Script.load("semaphore_renew");
  private static final Script RELEASE = Script.load("semaphore_release");
  private static final Script SNAPSHOT = Script.load("semaphore_snapshot");
  private static final Script HOLDERS = Script.load("semaphore_holders");

  private final Keyspace keys;
  private final ReleaseChannel channel;

  SemaphoreCommands(Keyspace keys, ReleaseChannel channel) {
    this.keys = keys;
    this.channel = channel;
  }

  @Override
  public void register(Commands commands) {
    commands.on(TryAcquire.class, this::tryAcquire);
    commands.on(Renew.class, CONTROL, this::renew, Replies::flag);
    commands.on(Release.class, CONTROL, this::release, Replies::flag);
    commands.on(Snapshot.class, this::snapshot);
    commands.on(Holders.class, FAST, holders -> on(HOLDERS, holders), SemaphoreCommands::holders);
  }

  @Override
  public List<Script> scripts() {
    return List.of(ACQUIRE, RENEW, RELEASE, SNAPSHOT, HOLDERS);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    String key = keys.semaphore(unused, Optional.empty());
    return List.of(
        RedisCommand.of(Command.TIME),
        RedisCommand.of(Command.ZCOUNT).arg(key).arg(0).arg(1),
        RedisCommand.of(Command.EXISTS).arg(key),
        RedisCommand.of(Command.ZCARD).arg(key),
        RedisCommand.of(Command.ZSCORE).arg(key).arg(""),
        RedisCommand.of(Command.ZADD).arg(key).arg("XX").arg(0).arg(""),
        RedisCommand.of(Command.ZREM).arg(key).arg(""),
        RedisCommand.of(Command.ZREMRANGEBYRANK).arg(key).arg(0).arg(0),
        RedisCommand.of(Command.ZRANGE).arg(key).arg(0).arg(0),
        RedisCommand.of(Command.PEXPIRE).arg(key).arg(1),
        RedisCommand.of(Command.PEXPIREAT).arg(key).arg(1),
        RedisCommand.of(Command.UNLINK).arg(key));
  }

  private RedisCommand on(Script script, SemaphoreOperation<?> operation) {
    return script.on(keys.semaphore(operation.gate(), operation.resource()));
  }

  private Future<PermitDecision> tryAcquire(TryAcquire acquire, Call call) {
    RedisCommand command =
        on(ACQUIRE, acquire).arg(acquire.permitToken()).arg(acquire.limit()).arg(acquire.ttl());
    return call.send(FAST, command, reply -> decision(acquire, reply));
  }

  private static PermitDecision decision(TryAcquire acquire, Response reply) {
    return reply == null
        ? new PermitDecision.Saturated(acquire.gate(), acquire.limit())
        : new PermitDecision.Granted(acquire.permitToken(), number(reply));
  }

  private RedisCommand renew(Renew renew) {
    return on(RENEW, renew).arg(renew.token()).arg(renew.ttl());
  }

  private RedisCommand release(Release release) {
    return on(RELEASE, release).arg(release.token()).args(channel.arguments());
  }

  private Future<PermitUsage> snapshot(Snapshot snapshot, Call call) {
    return call.send(
        FAST, on(SNAPSHOT, snapshot), reply -> PermitUsage.of(snapshot.limit(), number(reply)));
  }

  private static int number(Response reply) {
    return Math.toIntExact(Replies.integer(reply));
  }

  private static List<PermitHolder> holders(Response reply) {
    List<Response> parts = Replies.list(reply);
    long now = Replies.integer(parts.get(0));
    List<String> permits = Replies.texts(parts.get(1));
    List<PermitHolder> holders = new ArrayList<>(permits.size() / 2);
    for (int i = 0; i < permits.size(); i += 2) {
      long left = (long) Double.parseDouble(permits.get(i + 1)) - now;
      holders.add(new PermitHolder(permits.get(i), Duration.ofMillis(Math.max(1, left))));
    }
    return List.copyOf(holders);
  }
}
