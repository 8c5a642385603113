package io.runtimestate.lease;

import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

/**
 * Releases in the background: of what an acquisition may have got although it failed, or got too
 * late. Best effort, and only as long as the lease could last. If the same acquisition is tried
 * again, its recall stops first, so that it cannot take back what the new try gets.
 */
final class Recalls {
  private static final int MOST = 10_000; // beyond, leases end by themselves

  private final LeaseLoop loop;
  private final Map<String, Recall> running = new ConcurrentHashMap<>();

  Recalls(LeaseLoop loop) {
    this.loop = loop;
  }

  /**
   * Begins to release, from any thread.
   *
   * @param release one try, with a timeout in milliseconds; answers whether something was released
   */
  void start(String token, Duration ttl, LongFunction<Future<Boolean>> release) {
    if (running.size() < MOST) {
      Recall recall = new Recall(this, loop, token, ttl, release);
      if (running.putIfAbsent(token, recall) == null) {
        loop.run(recall::begin);
      }
    }
  }

  /** Whether a token is being released. */
  boolean isRunning(String token) {
    return !running.isEmpty() && running.containsKey(token);
  }

  /** Stops releasing a token; completes, on the caller's context, when nothing is on its way. */
  Future<Void> stop(String token) {
    Promise<Void> stopped = Callers.promise(loop.vertx());
    Recall recall = running.remove(token);
    if (recall == null) {
      stopped.complete();
    } else {
      loop.run(() -> recall.stop(stopped));
    }
    return stopped.future();
  }

  void ended(Recall recall) {
    running.remove(recall.token(), recall);
  }
}
