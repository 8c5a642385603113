package io.runtimestate.bench;

import io.runtimestate.Semaphores;
import io.runtimestate.data.PermitDecision;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
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
    Plain plain = new Plain(stage);
    RedissonClient redisson = redisson(stage);
    return List.of(
        Peer.of(OURS, (n, slot) -> ours(semaphores, gate(n), slot)),
        Peer.of(PLAIN, plain::start),
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

  /** The same two scripts, sent by hand. */
  private static final class Plain {
    private final RedisConnection connection;
    private final String acquire;
    private final String release;

    Plain(RedisStage stage) throws Exception {
      this.connection = stage.plain();
      this.acquire = stage.script("semaphore_acquire");
      this.release = stage.script("semaphore_release");
    }

    void start(long number, Slot slot) {
      String gate = "plain:{" + gate(number) + "}";
      String token = gate(number) + ":" + UUID.randomUUID();
      connection
          .send(acquiring(gate, token))
          .compose(
              held ->
                  held == null
                      ? Future.failedFuture("full")
                      : connection.send(Request.cmd(Command.EVALSHA, release, 1, gate, token)))
          .onComplete(slot);
    }

    private Request acquiring(String gate, String token) {
      return Request.cmd(Command.EVALSHA)
          .arg(acquire)
          .arg(1)
          .arg(gate)
          .arg(token)
          .arg(LIMIT)
          .arg(LEASE.toMillis());
    }
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
