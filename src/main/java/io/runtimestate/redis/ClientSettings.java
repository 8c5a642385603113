package io.runtimestate.redis;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisProtocol;
import io.runtimestate.config.RedisTopology;
import io.runtimestate.config.RedisUrl;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.RedisClientType;
import java.util.List;

/** The client's settings for one connection of a lane. */
final class ClientSettings {
  /** Commands of the handshake that may be in flight besides those of the lane. */
  private static final int HANDSHAKE_COMMANDS = 256;

  /** A cluster client looks at the nodes on connections besides those that carry commands. */
  private static final int CONNECTIONS_PER_NODE = 4;

  private static final int MOST_WAITING = 1 << 20;
  private static final String VERIFY_HOST = "HTTPS";

  private final RedisOptions options;
  private final List<RedisUrl> endpoints;

  ClientSettings(RedisOptions options) {
    this.options = options;
    this.endpoints = options.effectiveEndpoints();
  }

  /** Whether HELLO is sent at first. */
  boolean negotiates() {
    return options.getProtocol() != RedisProtocol.RESP2;
  }

  /** Whether a refused HELLO is no failure. */
  boolean fallsBack() {
    return options.getProtocol() == RedisProtocol.AUTO;
  }

  boolean hasCredentials() {
    return options.effectiveUsername().isPresent() || options.effectivePassword().isPresent();
  }

  String username() {
    return options.effectiveUsername().orElse("default");
  }

  String password() {
    return options.effectivePassword().orElse("");
  }

  static String connectionName(LaneKind kind) {
    return "runtime-state-" + kind.word();
  }

  /**
   * @param negotiate whether to begin with HELLO
   */
  io.vertx.redis.client.RedisOptions forLane(LaneKind kind, boolean negotiate, long timeoutMillis) {
    var settings =
        new io.vertx.redis.client.RedisOptions()
            .setType(RedisClientType.valueOf(options.getTopology().name()))
            .setEndpoints(endpoints.stream().map(url -> connectionString(url, kind)).toList())
            .setNetClientOptions(net(timeoutMillis))
            .setProtocolNegotiation(negotiate)
            .setMaxWaitingHandlers(
                Math.min(options.getMaxPendingCommands(), MOST_WAITING) + HANDSHAKE_COMMANDS)
            .setPoolName(connectionName(kind))
            .setMaxPoolSize(isStandalone() ? 1 : CONNECTIONS_PER_NODE)
            .setPoolCleanerInterval(-1)
            .setPoolRecycleTimeout(-1);
    if (options.getMasterName() != null) {
      settings.setMasterName(options.getMasterName());
    }
    return hasCredentials() ? settings.setUser(username()).setPassword(password()) : settings;
  }

  private boolean isStandalone() {
    return options.getTopology() == RedisTopology.STANDALONE;
  }

  private static String connectionString(RedisUrl url, LaneKind kind) {
    int database = url.database().orElse(0);
    String query = "?client=" + connectionName(kind) + (database == 0 ? "" : "&db=" + database);
    return url.address() + query;
  }

  private NetClientOptions net(long timeoutMillis) {
    NetClientOptions net =
        new NetClientOptions()
            .setConnectTimeout((int) Math.min(timeoutMillis, Integer.MAX_VALUE))
            .setTcpKeepAlive(true);
    return endpoints.get(0).isTls() ? tls(net) : net;
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
