package io.runtimestate.support;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisProtocol;
import io.runtimestate.config.RedisTopology;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the redis door reaches its servers. The properties {@code runtimestate.redis.topology},
 * {@code runtimestate.redis.protocol} and {@code runtimestate.redis.user} ({@code limited} for one
 * with the permissions of the README and no more) decide for a whole run.
 */
record RedisWay(RedisTopology topology, RedisProtocol protocol, boolean limited) {
  private static final String LIMITED = "limited";
  private static final Set<RedisServer> WITH_USER = ConcurrentHashMap.newKeySet();
  private static final String PASSWORD = "limited secret";

  /** What the system properties say. */
  static RedisWay given() {
    return of(
        Stream.of("topology", "protocol", "user")
            .map(name -> System.getProperty("runtimestate.redis." + name, ""))
            .collect(Collectors.joining("-")));
  }

  /** Reads words of all three kinds, joined by hyphens. */
  static RedisWay of(String text) {
    List<String> words = List.of(text.split("-"));
    return new RedisWay(
        chosen(RedisTopology.values(), words),
        chosen(RedisProtocol.values(), words),
        words.contains(LIMITED));
  }

  /** The first constant is the usual one. */
  private static <E extends Enum<E>> E chosen(E[] constants, List<String> words) {
    return Arrays.stream(constants)
        .filter(constant -> words.contains(constant.toString()))
        .findFirst()
        .orElse(constants[0]);
  }

  /** Whether the server is {@link RedisServer#shared}. */
  boolean isStandalone() {
    return topology == RedisTopology.STANDALONE;
  }

  /** What differs from the usual way; empty for that. */
  String word() {
    return Stream.of(
            isStandalone() ? "" : "-" + topology,
            protocol == RedisProtocol.AUTO ? "" : "-" + protocol,
            limited ? "-" + LIMITED : "")
        .collect(Collectors.joining());
  }

  void applyTo(RedisOptions options) {
    switch (topology) {
      case STANDALONE -> options.setUrl(RedisServer.shared().uri());
      case CLUSTER -> RedisCluster.shared().options(options);
      case SENTINEL -> RedisSentinels.shared().options(options);
    }
    apply(options, servers());
  }

  /** The same protocol and permissions on a server of the test's own. */
  void applyTo(RedisOptions options, RedisServer own) {
    apply(options.setUrl(own.uri()), List.of(own));
  }

  private void apply(RedisOptions options, List<RedisServer> servers) {
    options.setProtocol(protocol);
    if (limited) {
      servers.stream()
          .filter(WITH_USER::add)
          .forEach(server -> ReadmeAcl.createUser(server, PASSWORD, "~*"));
      options.setUsername(ReadmeAcl.USER).setPassword(PASSWORD);
    }
  }

  /** All that hold data, and no sentinels. */
  List<RedisServer> servers() {
    return switch (topology) {
      case STANDALONE -> List.of(RedisServer.shared());
      case CLUSTER -> RedisCluster.shared().nodes();
      case SENTINEL -> RedisSentinels.shared().servers();
    };
  }
}
