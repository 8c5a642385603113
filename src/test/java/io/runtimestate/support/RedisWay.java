package io.runtimestate.support;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisProtocol;
import io.runtimestate.config.RedisTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final String USER_LINE = "    user runtime-state ";
  private static final Set<Integer> WITH_USER = ConcurrentHashMap.newKeySet();
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
    options.setProtocol(protocol);
    if (limited) {
      servers().forEach(RedisWay::createUser);
      options.setUsername("runtime-state").setPassword(PASSWORD);
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

  /** As the README says, but for any prefix. */
  private static void createUser(RedisServer server) {
    if (!WITH_USER.add(server.port())) {
      return;
    }
    String[] rules =
        rules().stream()
            .map(rule -> rule.replace("<password>", PASSWORD).replace("rs:*", "*"))
            .toArray(String[]::new);
    try (var side = server.side()) {
      side.command(
          Stream.concat(Stream.of("ACL", "SETUSER", "runtime-state"), Arrays.stream(rules))
              .toArray(String[]::new));
    }
  }

  /** The rules in the README, behind the user's name. */
  static List<String> rules() {
    try {
      String block =
          Files.readString(Path.of("README.md"))
              .lines()
              .dropWhile(line -> !line.startsWith(USER_LINE))
              .takeWhile(line -> line.startsWith("    "))
              .collect(Collectors.joining(" "));
      return List.of(block.substring(USER_LINE.length()).trim().split("\\s+"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
