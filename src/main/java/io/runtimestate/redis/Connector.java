package io.runtimestate.redis;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisTopology;
import io.runtimestate.config.RedisUrl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.redis.client.Redis;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes connections to one server. Which one that is may be asked for each connection anew.
 *
 * <p>The client only ever hears of single servers: what it does about clusters and sentinels by
 * itself takes its own time and tells neither whom it asked nor what became of a command.
 */
final class Connector {
  /** How long one attempt may take, handshake included. */
  static final long ATTEMPT_MILLIS = 2_000;

  private final Vertx vertx;
  private final ClientSettings settings;
  private final List<Script> scripts;
  private final Function<Lookup, Future<RedisUrl>> place;
  private volatile boolean helloRefused;

  private Connector(
      Vertx vertx,
      ClientSettings settings,
      List<Script> scripts,
      Function<Lookup, Future<RedisUrl>> place) {
    this.vertx = vertx;
    this.settings = settings;
    this.scripts = scripts;
    this.place = place;
  }

  /** To the first server of the options, or to the master that their sentinels name. */
  static Connector of(Vertx vertx, RedisOptions options, List<Script> scripts) {
    return new Connector(
        new FlushMergingVertx((VertxInternal) vertx),
        new ClientSettings(options),
        scripts,
        place(options));
  }

  private static Function<Lookup, Future<RedisUrl>> place(RedisOptions options) {
    RedisUrl first = options.effectiveEndpoints().get(0);
    return options.getTopology() == RedisTopology.SENTINEL
        ? new Sentinels(options)::master
        : fixed(first);
  }

  private static Function<Lookup, Future<RedisUrl>> fixed(RedisUrl server) {
    return lookup -> lookup.known(server);
  }

  /** The same to another server. */
  Connector to(RedisUrl server) {
    return new Connector(vertx, settings, scripts, fixed(server));
  }

  /** The same to a server that is chosen for each connection. */
  Connector toAny(Supplier<RedisUrl> server) {
    return new Connector(vertx, settings, scripts, lookup -> lookup.known(server.get()));
  }

  /** Starts an attempt on that loop; called on it. */
  Attempt connect(Loop loop, LaneKind kind, long timeoutMillis) {
    Attempt attempt = new Attempt(this, loop, kind, timeoutMillis);
    loop.runApart(attempt::start);
    return attempt;
  }

  /** Where to connect to now. */
  Future<RedisUrl> server(Lookup lookup) {
    return place.apply(lookup);
  }

  /** Whom to sign in as now. */
  Future<Credentials> credentials(RedisUrl server, Loop loop) {
    return settings.credentials(server, loop);
  }

  Redis client(
      LaneKind kind,
      RedisUrl server,
      Credentials credentials,
      boolean negotiate,
      long timeoutMillis) {
    var options = settings.forLane(kind, server, negotiate, timeoutMillis);
    return Redis.createClient(vertx, settings.signingIn(options, credentials));
  }

  /** A client that neither negotiates nor signs in. */
  Redis lookupClient(RedisUrl server, long timeoutMillis) {
    return Redis.createClient(vertx, settings.forLookup(server, timeoutMillis));
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
