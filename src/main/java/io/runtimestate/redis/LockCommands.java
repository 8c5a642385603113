package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.CONTROL;
import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.LockHolder;
import io.runtimestate.data.LockLease;
import io.runtimestate.operation.LockOperation.Holder;
import io.runtimestate.operation.LockOperation.Release;
import io.runtimestate.operation.LockOperation.Renew;
import io.runtimestate.operation.LockOperation.TryAcquire;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Locks. A lock is stored as {@code <fencing token>:<length of the owner>:<lease token>}; the lease
 * token begins with the owner. Its history, the last fencing token, outlives it by seven days.
 */
final class LockCommands implements Family {
  private static final Script ACQUIRE = Script.load("lock_acquire");
  private static final Script RENEW = Script.load("lock_renew");
  private static final Script RELEASE = Script.load("lock_release");
  private static final Script HOLDER = Script.load("lock_holder");
  private static final Duration HISTORY = Duration.ofDays(7);
  private static final Pattern STORED =
      Pattern.compile("([1-9][0-9]{0,15}):([0-9]{1,6}):(.*)", Pattern.DOTALL);

  private final Keyspace keys;
  private final ReleaseChannel channel;

  LockCommands(Keyspace keys, ReleaseChannel channel) {
    this.keys = keys;
    this.channel = channel;
  }

  @Override
  public void register(Commands commands) {
    commands.on(TryAcquire.class, this::tryAcquire);
    commands.on(Renew.class, CONTROL, this::renew, Replies::flag);
    commands.on(Release.class, CONTROL, this::release, Replies::flag);
    commands.on(
        Holder.class, FAST, holder -> HOLDER.on(keys.lock(holder.key())), LockCommands::holder);
  }

  @Override
  public List<Script> scripts() {
    return List.of(ACQUIRE, RENEW, RELEASE, HOLDER);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    return List.of(
        RedisCommand.of(Command.TIME),
        RedisCommand.of(Command.GET).arg(keys.lock(unused)),
        RedisCommand.of(Command.SET).arg(keys.lock(unused)).arg("").arg("XX"),
        RedisCommand.of(Command.SET).arg(keys.fence(unused)).arg("").arg("XX"),
        RedisCommand.of(Command.PEXPIRE).arg(keys.lock(unused)).arg(1),
        RedisCommand.of(Command.PTTL).arg(keys.lock(unused)),
        RedisCommand.of(Command.UNLINK).arg(keys.lock(unused)));
  }

  private Future<Optional<LockLease>> tryAcquire(TryAcquire acquire, Call call) {
    RedisCommand command =
        ACQUIRE
            .on(keys.lock(acquire.key()), keys.fence(acquire.key()))
            .arg(stored(acquire.owner(), acquire.leaseToken()))
            .arg(acquire.ttl())
            .arg(HISTORY.plus(acquire.ttl()));
    return call.sendOnly(FAST, command, reply -> lease(acquire, reply));
  }

  private static Optional<LockLease> lease(TryAcquire acquire, Response reply) {
    return Replies.optionalText(reply).map(Long::parseLong).map(acquire::lease);
  }

  private RedisCommand renew(Renew renew) {
    LockLease lease = renew.lease();
    return RENEW
        .on(keys.lock(lease.key()), keys.fence(lease.key()))
        .arg(lease.token())
        .arg(renew.ttl())
        .arg(HISTORY.plus(renew.ttl()));
  }

  private RedisCommand release(Release release) {
    LockLease lease = release.lease();
    return RELEASE.on(keys.lock(lease.key())).arg(lease.token()).args(channel.arguments());
  }

  private static String stored(String owner, String token) {
    return owner.length() + ":" + token;
  }

  private static Optional<LockHolder> holder(Response reply) {
    if (reply == null) {
      return Optional.empty();
    }
    List<Response> parts = Replies.list(reply);
    Matcher stored = STORED.matcher(Replies.text(parts.get(0)));
    long left = Replies.integer(parts.get(1));
    if (!stored.matches() || left < 0) {
      throw new IllegalArgumentException("the lock is damaged");
    }
    String owner = stored.group(3).substring(0, Integer.parseInt(stored.group(2)));
    long fencingToken = Long.parseLong(stored.group(1));
    return Optional.of(new LockHolder(owner, fencingToken, Duration.ofMillis(Math.max(1, left))));
  }
}
