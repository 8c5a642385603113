package io.runtimestate.support;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisTopology;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A master and a replica, watched by three sentinels that fail over within two seconds or so. */
public final class RedisSentinels implements AutoCloseable {
  /** The name the sentinels know the master by. */
  public static final String MASTER = "test-master";

  private static RedisSentinels shared;

  private final List<RedisServer> servers;
  private final List<RedisServer> sentinels;

  private RedisSentinels(List<RedisServer> servers, List<RedisServer> sentinels) {
    this.servers = servers;
    this.sentinels = sentinels;
  }

  /** One per JVM, for tests that leave it as it was; it ends with the JVM. */
  public static synchronized RedisSentinels shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  /** Starts them with further lines in the configuration of the servers, not of the sentinels. */
  public static RedisSentinels start(String... extraConfigLines) {
    RedisServer master = RedisServer.start(lines(extraConfigLines));
    RedisServer replica =
        RedisServer.start(lines(extraConfigLines, "replicaof 127.0.0.1 " + master.port()));
    RedisSentinels all =
        new RedisSentinels(
            List.of(master, replica),
            IntStream.range(0, 3).mapToObj(i -> sentinel(master, extraConfigLines)).toList());
    Await.until(all::areReady, "the sentinels know everybody");
    return all;
  }

  private static String[] lines(String[] extra, String... more) {
    return Stream.of(Stream.of("repl-diskless-sync-delay 0"), Stream.of(extra), Stream.of(more))
        .flatMap(lines -> lines)
        .toArray(String[]::new);
  }

  private static RedisServer sentinel(RedisServer master, String... serverLines) {
    Stream<String> watch =
        Stream.of(
            "sentinel monitor " + MASTER + " 127.0.0.1 " + master.port() + " 2",
            "sentinel down-after-milliseconds " + MASTER + " 500",
            "sentinel failover-timeout " + MASTER + " 2000");
    Stream<String> password =
        Stream.of(serverLines)
            .filter(line -> line.startsWith("requirepass "))
            .map(line -> line.replace("requirepass", "sentinel auth-pass " + MASTER));
    return RedisServer.sentinel(Stream.concat(watch, password).toArray(String[]::new));
  }

  private boolean areReady() {
    return sentinels.stream().allMatch(RedisSentinels::isReady);
  }

  private static boolean isReady(RedisServer sentinel) {
    try (var side = sentinel.side()) {
      String info = (String) side.command("INFO", "sentinel");
      return info.contains("slaves=1,sentinels=3");
    }
  }

  /** Master and replica, as they began. */
  public List<RedisServer> servers() {
    return servers;
  }

  /** Has the replica promoted; returns when it has begun. */
  public void failOver() {
    try (var side = sentinels.get(0).side()) {
      side.command("SENTINEL", "FAILOVER", MASTER);
    }
  }

  /** The URLs of the sentinels and the master's name. */
  public RedisOptions options() {
    return options(new RedisOptions());
  }

  RedisOptions options(RedisOptions target) {
    return target
        .setTopology(RedisTopology.SENTINEL)
        .setMasterName(MASTER)
        .setUrl(sentinels.get(0).uri())
        .setEndpoints(sentinels.stream().skip(1).map(RedisServer::uri).toList());
  }

  @Override
  public void close() {
    sentinels.forEach(RedisServer::close);
    servers.forEach(RedisServer::close);
  }
}
