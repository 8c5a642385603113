package io.runtimestate.redis;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisProtocol;
import io.runtimestate.config.RedisTopology;
import io.runtimestate.config.RedisUrl;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.RedisClientType;
import java.util.List;

/** The client's settings for one connection of a lane. */
final class ClientSettings {
  /** Commands of the handshake that may be in flight besides those of the lane. */
  private static final int HANDSHAKE_COMMANDS = 256;

  private static final String LOOKUP_NAME = "runtime-state-lookup";
  private static final int MOST_WAITING = 1 << 20;
  private static final String VERIFY_HOST = "HTTPS";

  private final RedisOptions options;

  ClientSettings(RedisOptions options) {
    this.options = options;
  }

  /** Whether HELLO is sent at first. */
  boolean negotiates() {
    return options.getProtocol() != RedisProtocol.RESP2;
  }

  /** Whether a refused HELLO is no failure. */
  boolean fallsBack() {
    return options.getProtocol() == RedisProtocol.AUTO;
  }

  /** Whether a server that is a replica will not do. */
  boolean needsMaster() {
    return options.getTopology() == RedisTopology.SENTINEL;
  }

  /** Whom to sign in as on that server, asked anew if the options say so. */
  Future<Credentials> credentials(RedisUrl server, Loop loop) {
    return options.getCredentials() == null
        ? loop.known(Credentials.of(server))
        : loop.asked(options.getCredentials())
            .map(Credentials::of)
            .otherwise(ClientSettings::noCredentials);
  }

  /** What the caller's code says may hold the very secret. */
  private static Credentials noCredentials(Throwable failure) {
    String reason = "open: redis.credentials failed: " + failure.getClass().getSimpleName();
    throw new RuntimeStateException(FailureCode.UNAVAILABLE, reason);
  }

  io.vertx.redis.client.RedisOptions signingIn(
      io.vertx.redis.client.RedisOptions client, Credentials credentials) {
    return credentials.isNone()
        ? client
        : client.setUser(credentials.username()).setPassword(credentials.password());
  }

  static String connectionName(LaneKind kind) {
    return "runtime-state-" + kind.word();
  }

  /**
   * @param negotiate whether to begin with HELLO
   */
  io.vertx.redis.client.RedisOptions forLane(
      LaneKind kind, RedisUrl server, boolean negotiate, long timeoutMillis) {
    return one(connectionString(server, kind), server, timeoutMillis)
        .setProtocolNegotiation(negotiate)
        .setMaxWaitingHandlers(
            Math.min(options.getMaxPendingCommands(), MOST_WAITING) + HANDSHAKE_COMMANDS)
        .setPoolName(connectionName(kind));
  }

  /** For one question. */
  io.vertx.redis.client.RedisOptions forLookup(RedisUrl server, long timeoutMillis) {
    return one(server.address(), server, timeoutMillis)
        .setProtocolNegotiation(false)
        .setPoolName(LOOKUP_NAME);
  }

  private io.vertx.redis.client.RedisOptions one(
      String connectionString, RedisUrl server, long timeoutMillis) {
    return new io.vertx.redis.client.RedisOptions()
        .setType(RedisClientType.STANDALONE)
        .setEndpoints(List.of(connectionString))
        .setNetClientOptions(net(server, timeoutMillis))
        .setMaxPoolSize(1)
        .setPoolCleanerInterval(-1)
        .setPoolRecycleTimeout(-1);
  }

  private static String connectionString(RedisUrl url, LaneKind kind) {
    int database = url.database().orElse(0);
    String query = "?client=" + connectionName(kind) + (database == 0 ? "" : "&db=" + database);
    return url.address() + query;
  }

  private NetClientOptions net(RedisUrl server, long timeoutMillis) {
    NetClientOptions net =
        new NetClientOptions()
            .setConnectTimeout((int) Math.min(timeoutMillis, Integer.MAX_VALUE))
            .setTcpKeepAlive(true);
    return server.isTls() ? tls(net) : net;
  }

  private NetClientOptions tls(NetClientOptions net) {
    ClientSSLOptions tls = options.getTls() == null ? new ClientSSLOptions() : options.getTls();
    NetClientOptions secured = new NetClientOptions(net).setSsl(true);
    copy(tls, secured);
    return secured;
  }

  private static void copy(ClientSSLOptions tls, NetClientOptions net) {
    String algorithm = tls.getHostnameVerificationAlgorithm();
    net.setHostnameVerificationAlgorithm(algorithm == null ? VERIFY_HOST : algorithm)
        .setTrustAll(tls.isTrustAll())
        .setTrustOptions(tls.getTrustOptions())
        .setKeyCertOptions(tls.getKeyCertOptions())
        .setEnabledSecureTransportProtocols(tls.getEnabledSecureTransportProtocols())
        .setSslHandshakeTimeout(tls.getSslHandshakeTimeout())
        .setSslHandshakeTimeoutUnit(tls.getSslHandshakeTimeoutUnit())
        .setUseAlpn(tls.isUseAlpn());
    tls.getEnabledCipherSuites().forEach(net::addEnabledCipherSuite);
    tls.getCrlPaths().forEach(net::addCrlPath);
    tls.getCrlValues().forEach(net::addCrlValue);
  }
}
