package io.runtimestate.bench;

import io.runtimestate.Semaphores;
import io.runtimestate.data.PermitDecision;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;

/** A permit of one of some semaphores taken and given back; none of them is ever full. */
final class SemaphoreScenario extends RedisScenario {
  private static final int GATES = 64;
  private static final int LIMIT = 100_000;
  private static final Duration LEASE = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "redis-semaphore";
  }

  @Override
  public String title() {
    return "Redis: acquire and release of a permit with a lease";
  }

  @Override
  List<Peer> peers(RedisStage stage) throws Exception {
    Semaphores semaphores = stage.state().semaphores();
    PlainLease plain = new PlainLease(stage, "semaphore");
    RedissonClient redisson = redisson(stage);
    return List.of(
        Peer.of(OURS, (n, slot) -> ours(semaphores, gate(n), slot)),
        Peer.of(PLAIN, (n, slot) -> plain(plain, gate(n), slot)),
        Peer.elsewhere(REDISSON, (n, slot) -> redisson(semaphore(redisson, gate(n)), slot)));
  }

  private static String gate(long number) {
    return "gate-" + number % GATES;
  }

  private static void ours(Semaphores semaphores, String gate, Slot slot) {
    semaphores
        .tryAcquire(gate, null, LIMIT, LEASE)
        .compose(permit -> semaphores.release(gate, null, token(permit)))
        .onComplete(slot);
  }

  private static String token(PermitDecision decision) {
    return ((PermitDecision.Granted) decision).token();
  }

  private static void plain(PlainLease plain, String gate, Slot slot) {
    String key = "plain:{" + gate + "}";
    String token = gate + ":" + UUID.randomUUID();
    Request acquiring = plain.acquiring(1).arg(key).arg(token).arg(LIMIT).arg(LEASE.toMillis());
    plain
        .acquire(acquiring)
        .compose(held -> held == null ? Future.failedFuture("full") : plain.release(key, token))
        .onComplete(slot);
  }

  /** Each semaphore must be told its limit once. */
  private static RedissonClient redisson(RedisStage stage) {
    RedissonClient redisson = stage.redisson();
    for (int i = 0; i < GATES; i++) {
      semaphore(redisson, gate(i)).trySetPermits(LIMIT);
    }
    return redisson;
  }

  private static RPermitExpirableSemaphore semaphore(RedissonClient redisson, String gate) {
    return redisson.getPermitExpirableSemaphore("redisson:" + gate);
  }

  private static void redisson(RPermitExpirableSemaphore semaphore, Slot slot) {
    semaphore
        .tryAcquireAsync(0, LEASE.toMillis(), TimeUnit.MILLISECONDS)
        .thenCompose(semaphore::releaseAsync)
        .whenComplete(slot);
  }
}
