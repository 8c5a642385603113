package io.runtimestate.node;

import io.runtimestate.RuntimeState;
import io.runtimestate.RuntimeStateVerticle;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.config.ValuePolicy;
import io.runtimestate.data.BackendKind;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A node in a Vert.x instance of its own, for as long as a replay takes. */
final class ReplayNode implements AutoCloseable {
  /**
   * A log has any number of clients and paths, and a counter that was evicted counts wrongly. So
   * the store is made large, and refuses what it cannot hold instead of forgetting something.
   */
  private static final int MAX_VALUES = 100_000_000;

  /**
   * A store that has no room for a usage window makes some by its own clock, and by that clock all
   * windows of a recorded log are long over: it would forget requests that count by the log's. So
   * it must not run out of room, neither of windows, one for each client, nor of events, one for
   * each request that counts.
   */
  private static final int MAX_USAGE = 1_000_000_000;

  /**
   * Opening is the first that a process does, and several processes may do it at once; on a busy
   * machine this takes longer than a call may.
   */
  private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(15);

  private final Vertx vertx;
  private final RuntimeStateOptions options;

  private ReplayNode(Vertx vertx, RuntimeStateOptions options) {
    this.vertx = vertx;
    this.options = options;
  }

  static ReplayNode start(RuntimeStateOptions options) {
    options
        .getMemory()
        .setMaxValues(MAX_VALUES)
        .setValuePolicy(ValuePolicy.REJECT)
        .setMaxUsageWindows(MAX_USAGE)
        .setMaxUsageEvents(MAX_USAGE);
    if (options.getRedis().getOpenTimeout() == null) {
      options.getRedis().setOpenTimeout(OPEN_TIMEOUT);
    }
    ReplayNode node = new ReplayNode(Vertx.vertx(), options);
    try {
      Waiting.on(
          node.vertx.deployVerticle(
              new RuntimeStateVerticle(),
              new DeploymentOptions().setConfig(options.toJsonWithSecrets())));
      return node;
    } catch (RuntimeException failure) {
      node.close();
      throw failure;
    }
  }

  /** Where the replay's own code runs. */
  Context context() {
    return vertx.getOrCreateContext();
  }

  StateClient client() {
    return new StateClient(vertx.eventBus(), options.getEventBus().getBase());
  }

  String backend() {
    return options.effectiveBackend().word();
  }

  /** Whether other processes reach its store. */
  boolean isShared() {
    return options.effectiveBackend() == BackendKind.REDIS;
  }

  RuntimeStateOptions options() {
    return options;
  }

  /** The library's own client of the node. */
  Future<RuntimeState> connect() {
    return RuntimeState.connect(vertx, options.getEventBus().getBase());
  }

  Future<?> pause(long millis) {
    return vertx.timer(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    Waiting.on(vertx.close());
  }
}
