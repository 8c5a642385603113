package io.runtimestate.support;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.impl.EventBusImpl;
import io.vertx.core.impl.VertxImpl;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What is left open: the timers and event-bus addresses of a Vertx, and the connections of a
 * server.
 *
 * @param timers armed and not cancelled, periodic ones included
 * @param addresses with at least one consumer
 * @param connections of anybody but the one that counts them; 0 without a server
 */
public record Footprint(int timers, int addresses, int connections) {
  private static final Duration REST = Duration.ofMillis(100);
  private static final Duration MOMENT = Duration.ofSeconds(3);

  /** What is open now; the server may be null. */
  public static Footprint of(Vertx vertx, RedisServer server) {
    return new Footprint(
        sizeOf(VertxImpl.class, "timeouts", vertx),
        sizeOf(EventBusImpl.class, "handlerMap", vertx.eventBus()),
        server == null ? 0 : connections(server));
  }

  /** What is open once nothing comes or goes any more: a runtime arms a timer after it opened. */
  public static Footprint atRest(Vertx vertx, RedisServer server) {
    return atRest(() -> of(vertx, server));
  }

  static Footprint atRest(Supplier<Footprint> look) {
    Footprint[] seen = {look.get()};
    long[] since = {System.nanoTime()};
    Await.until(
        () -> {
          Footprint now = look.get();
          if (!now.equals(seen[0])) {
            seen[0] = now;
            since[0] = System.nanoTime();
          }
          return System.nanoTime() - since[0] > REST.toNanos();
        },
        "nothing comes or goes");
    return seen[0];
  }

  /** What is open now, on all these servers. */
  static Footprint ofAll(Vertx vertx, List<RedisServer> servers) {
    int connections = servers.stream().mapToInt(Footprint::connections).sum();
    Footprint local = of(vertx, null);
    return new Footprint(local.timers, local.addresses, connections);
  }

  /** Waits a moment until nothing more is open than at this baseline; else fails. */
  public void awaitReturn(Vertx vertx, RedisServer server) {
    awaitReturn(() -> of(vertx, server));
  }

  void awaitReturn(Supplier<Footprint> now) {
    try {
      Await.until(() -> now.get().isWithin(this), MOMENT, "nothing is left open");
    } catch (AssertionError late) {
      throw new AssertionError("before " + this + ", now " + now.get(), late);
    }
  }

  private boolean isWithin(Footprint baseline) {
    return timers <= baseline.timers
        && addresses <= baseline.addresses
        && connections <= baseline.connections;
  }

  private static int connections(RedisServer server) {
    try (var side = server.side()) {
      return side.clientList().size() - 1;
    }
  }

  /** Vert.x counts these maps nowhere, so this looks at the maps themselves. */
  private static int sizeOf(Class<?> owner, String map, Object of) {
    try {
      Field field = owner.getDeclaredField(map);
      field.setAccessible(true);
      return ((Map<?, ?>) field.get(of)).size();
    } catch (ReflectiveOperationException changed) {
      throw new AssertionError(owner + " has no map " + map + " any more", changed);
    }
  }
}
