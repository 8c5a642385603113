package io.runtimestate.redis;

import io.runtimestate.config.RedisOptions;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.redis.client.Redis;
import java.util.List;

/** Makes connections; what all of them have in common. */
final class Connector {
  /** How long one attempt may take, handshake included. */
  static final long ATTEMPT_MILLIS = 2_000;

  private final Vertx vertx;
  private final ClientSettings settings;
  private final List<Script> scripts;
  private volatile boolean helloRefused;

  Connector(Vertx vertx, RedisOptions options, List<Script> scripts) {
    this.vertx = new FlushMergingVertx((VertxInternal) vertx);
    this.settings = new ClientSettings(options);
    this.scripts = scripts;
  }

  /** Starts an attempt on that loop; called on it. */
  Attempt connect(Loop loop, LaneKind kind, long timeoutMillis) {
    Attempt attempt = new Attempt(this, loop, kind, timeoutMillis);
    loop.runApart(attempt::start);
    return attempt;
  }

  Redis client(LaneKind kind, boolean negotiate, long timeoutMillis) {
    return Redis.createClient(vertx, settings.forLane(kind, negotiate, timeoutMillis));
  }

  ClientSettings settings() {
    return settings;
  }

  List<Script> scripts() {
    return scripts;
  }

  boolean negotiates() {
    return settings.negotiates() && !helloRefused;
  }

  /** Connections made later need not ask again. */
  void helloRefused() {
    helloRefused = true;
  }
}
