package io.runtimestate.support;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisTopology;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three masters with a replica each, on loopback, which fail over within two seconds or so. A dead
 * master leaves the slots of the others usable.
 */
public final class RedisCluster implements AutoCloseable {
  private static final int MASTERS = 3;
  private static final int SLOTS = 16_384;

  private final List<RedisServer> nodes;

  private static RedisCluster shared;

  private RedisCluster(List<RedisServer> nodes) {
    this.nodes = nodes;
  }

  /** One per JVM, for tests that leave it as it was; it ends with the JVM. */
  public static synchronized RedisCluster shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  /** Starts one with further lines in every configuration file. */
  public static RedisCluster start(String... extraConfigLines) {
    String[] lines =
        Stream.concat(
                Stream.of(
                    ProcessHost.CLUSTERED,
                    "cluster-config-file nodes.conf",
                    "cluster-node-timeout 1000",
                    "cluster-require-full-coverage no",
                    "cluster-replica-validity-factor 0",
                    "repl-diskless-sync-delay 0"),
                Stream.of(extraConfigLines))
            .toArray(String[]::new);
    RedisCluster cluster =
        new RedisCluster(
            IntStream.range(0, 2 * MASTERS).mapToObj(i -> RedisServer.start(lines)).toList());
    try {
      cluster.form();
      return cluster;
    } catch (Throwable failure) {
      cluster.close();
      throw failure;
    }
  }

  private void form() {
    for (int i = 0; i < nodes.size(); i++) {
      command(i, "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (int i = 0; i < MASTERS; i++) {
      command(i, slotsOf(i));
    }
    for (int i = 1; i < nodes.size(); i++) {
      command(i, "CLUSTER", "MEET", "127.0.0.1", Integer.toString(nodes.get(0).port()));
    }
    awaitAll("cluster_known_nodes", Integer.toString(nodes.size()));
    for (int i = 0; i < MASTERS; i++) {
      command(MASTERS + i, "CLUSTER", "REPLICATE", (String) command(i, "CLUSTER", "MYID"));
    }
    awaitAll("cluster_state", "ok");
    IntStream.range(MASTERS, 2 * MASTERS).forEach(this::awaitReplica);
    Await.until(() -> nodes.stream().allMatch(this::seesThreeReplicas), "the map has replicas");
  }

  private static String[] slotsOf(int master) {
    return Stream.concat(
            Stream.of("CLUSTER", "ADDSLOTS"),
            IntStream.range(master * SLOTS / MASTERS, (master + 1) * SLOTS / MASTERS)
                .mapToObj(Integer::toString))
        .toArray(String[]::new);
  }

  private void awaitAll(String field, String value) {
    IntStream.range(0, nodes.size())
        .forEach(
            i ->
                Await.until(
                    () -> ((String) command(i, "CLUSTER", "INFO")).contains(field + ":" + value),
                    field + " is " + value));
  }

  private void awaitReplica(int node) {
    Await.until(
        () -> ((String) command(node, "INFO", "replication")).contains("master_link_status:up"),
        "the replica follows");
  }

  private boolean seesThreeReplicas(RedisServer node) {
    try (var side = node.side()) {
      String all = (String) side.command("CLUSTER", "NODES");
      return all.lines().filter(line -> line.contains("slave")).count() == MASTERS;
    }
  }

  private Object command(int node, String... words) {
    try (var side = nodes.get(node).side()) {
      return side.command(words);
    }
  }

  /** The nodes; the first three began as masters, the fourth as replica of the first, … */
  public List<RedisServer> nodes() {
    return nodes;
  }

  /** Who is master now, of all that are alive. */
  public List<RedisServer> masters() {
    List<RedisServer> masters = new ArrayList<>();
    for (RedisServer node : nodes) {
      if (isMaster(node)) {
        masters.add(node);
      }
    }
    return masters;
  }

  private static boolean isMaster(RedisServer node) {
    try (var side = node.side()) {
      return side.info("replication").get("role").equals("master");
    } catch (UncheckedIOException dead) {
      return false;
    }
  }

  /** The URL of the first node, with the others as endpoints. */
  public RedisOptions options() {
    return options(new RedisOptions());
  }

  RedisOptions options(RedisOptions target) {
    return target
        .setTopology(RedisTopology.CLUSTER)
        .setUrl(nodes.get(0).uri())
        .setEndpoints(nodes.stream().skip(1).map(RedisServer::uri).toList());
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }
}
