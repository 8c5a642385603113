package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.Footprint;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a backend has open while all is well: it must have that, and no more, after every fault.
 *
 * @param connections by kind of lane
 */
record Whole(
    StateBackend backend,
    RedisServer server,
    Vertx vertx,
    Map<String, Long> connections,
    int timers) {
  private static final List<String> LANES = List.of("fast", "control", "admin", "blocking");

  /** How it is now. */
  static Whole of(StateBackend backend, RedisServer server, Vertx vertx) {
    Footprint footprint = Footprint.atRest(vertx, null);
    return new Whole(backend, server, vertx, connections(backend), footprint.timers());
  }

  /** Waits until the same is open again, at both ends, and nothing is pending. */
  void awaitReturn() {
    Await.until(() -> connections(backend).equals(connections), "the lanes are connected again");
    Await.until(() -> atServer() == total(), "the server has as many and no more");
    Await.until(() -> pending() == 0, "nothing is pending");
    Await.until(() -> Footprint.of(vertx, null).timers() <= timers, "no timer is left");
    assertThat(backend.figures()).containsEntry("blockedReads", 0L);
  }

  boolean isConnected(String lane) {
    return connections(backend).get(lane).equals(connections.get(lane));
  }

  private long total() {
    return connections.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<String, Long> connections(StateBackend backend) {
    Map<String, Long> figures = Map.copyOf(backend.figures());
    return LANES.stream()
        .collect(
            Collectors.toMap(lane -> lane, lane -> figures.get("lane." + lane + ".connections")));
  }

  private long pending() {
    Map<String, Long> figures = backend.figures();
    return figures.get("pending")
        + LANES.stream().mapToLong(lane -> figures.get("lane." + lane + ".pending")).sum();
  }

  private long atServer() {
    try (RedisSide side = server.side()) {
      return side.clientList().stream()
          .filter(client -> client.get("name").startsWith("runtime-state-"))
          .count();
    }
  }
}
