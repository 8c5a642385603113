package io.runtimestate.bench;

import io.runtimestate.Locks;
import io.runtimestate.data.LockLease;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;

/**
 * A lock acquired with a fencing token and released. Nobody else wants it: there are so many keys
 * that two calls hardly ever meet, and one that finds its lock held does not release it.
 */
final class LockScenario extends RedisScenario {
  private static final int LOCKS = 1 << 18;
  private static final String OWNER = "node-1";
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration HISTORY = Duration.ofDays(7).plus(LEASE);

  @Override
  public String name() {
    return "redis-lock";
  }

  @Override
  public String title() {
    return "Redis: acquire and release of a fenced lock";
  }

  @Override
  List<Peer> peers(RedisStage stage) throws Exception {
    Locks locks = stage.state().locks();
    Plain plain = new Plain(stage);
    RedissonClient redisson = stage.redisson();
    return List.of(
        Peer.of(
            OURS,
            (n, slot) ->
                locks
                    .tryAcquire(key(n), OWNER, LEASE)
                    .compose(lease -> released(locks, lease))
                    .onComplete(slot)),
        Peer.of(PLAIN, plain::start),
        Peer.elsewhere(
            REDISSON, (n, slot) -> redisson(redisson.getFencedLock("redisson:" + key(n)), slot)));
  }

  private static String key(long number) {
    return "lock:" + number % LOCKS;
  }

  private static Future<Boolean> released(Locks locks, Optional<LockLease> lease) {
    return lease.isPresent() ? locks.release(lease.get()) : Future.succeededFuture(false);
  }

  /** The same two scripts, sent by hand. */
  private static final class Plain {
    private final RedisConnection connection;
    private final String acquire;
    private final String release;

    Plain(RedisStage stage) throws Exception {
      this.connection = stage.plain();
      this.acquire = stage.script("lock_acquire");
      this.release = stage.script("lock_release");
    }

    void start(long number, Slot slot) {
      String key = "plain:{" + key(number) + "}";
      String token = OWNER + ":" + UUID.randomUUID();
      connection
          .send(acquiring(key, OWNER.length() + ":" + token))
          .compose(fencing -> released(key, token, fencing))
          .onComplete(slot);
    }

    private Request acquiring(String key, String lease) {
      return Request.cmd(Command.EVALSHA)
          .arg(acquire)
          .arg(2)
          .arg(key)
          .arg(key + ":fence")
          .arg(lease)
          .arg(LEASE.toMillis())
          .arg(HISTORY.toMillis());
    }

    private Future<?> released(String key, String token, Response fencing) {
      return fencing == null || fencing.toLong() <= 0
          ? Future.succeededFuture()
          : connection
              .send(Request.cmd(Command.EVALSHA, release, 1, key, token, "plain:freed", OWNER))
              .compose(Plain::freed);
    }

    /** A release that does nothing would be compared with one that does. */
    private static Future<?> freed(Response reply) {
      return reply.toInteger() == 1
          ? Future.succeededFuture()
          : Future.failedFuture("the lock was not released");
    }
  }

  /** Redisson's owner is the thread, so it is told on which one the lock was taken. */
  private static void redisson(RFencedLock lock, Slot slot) {
    long owner = Thread.currentThread().getId();
    lock.tryLockAndGetTokenAsync(0, LEASE.toMillis(), TimeUnit.MILLISECONDS)
        .thenCompose(token -> released(lock, token, owner))
        .whenComplete(slot);
  }

  private static CompletionStage<Void> released(RFencedLock lock, Long token, long owner) {
    return token == null ? CompletableFuture.completedFuture(null) : lock.unlockAsync(owner);
  }
}
