package io.runtimestate.bench;

import io.runtimestate.Locks;
import io.runtimestate.data.LockLease;
import io.vertx.core.Future;
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
  private static final String OWNER = PlainLease.NODE;
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
    PlainLease plain = new PlainLease(stage, "lock");
    RedissonClient redisson = stage.redisson();
    return List.of(
        Peer.of(
            OURS,
            (n, slot) ->
                locks
                    .tryAcquire(key(n), OWNER, LEASE)
                    .compose(lease -> released(locks, lease))
                    .onComplete(slot)),
        Peer.of(PLAIN, (n, slot) -> plain(plain, key(n), slot)),
        Peer.elsewhere(
            REDISSON, (n, slot) -> redisson(redisson.getFencedLock("redisson:" + key(n)), slot)));
  }

  private static String key(long number) {
    return "lock:" + number % LOCKS;
  }

  private static Future<Boolean> released(Locks locks, Optional<LockLease> lease) {
    return lease.isPresent() ? locks.release(lease.get()) : Future.succeededFuture(false);
  }

  private static void plain(PlainLease plain, String lock, Slot slot) {
    String key = "plain:{" + lock + "}";
    String token = OWNER + ":" + UUID.randomUUID();
    Request acquiring =
        plain
            .acquiring(2)
            .arg(key)
            .arg(key + ":fence")
            .arg(OWNER.length() + ":" + token)
            .arg(LEASE.toMillis())
            .arg(HISTORY.toMillis());
    plain
        .acquire(acquiring)
        .compose(fencing -> isHeld(fencing) ? plain.release(key, token) : Future.succeededFuture())
        .onComplete(slot);
  }

  private static boolean isHeld(Response fencing) {
    return fencing != null && fencing.toLong() > 0;
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
