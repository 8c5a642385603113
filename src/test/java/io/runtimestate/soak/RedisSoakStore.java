package io.runtimestate.soak;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.redis.RedisBackend;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Random;

/**
 * A server that has written down whatever it acknowledged; each process has a proxy to it. What it
 * wrote down is kept short, or it would have to read for long at each start.
 */
final class RedisSoakStore implements SoakStore {
  private final Vertx vertx = Vertx.vertx();
  private final CallGate gate;
  private final RedisServer server =
      RedisServer.start("appendonly yes", "appendfsync always", "auto-aof-rewrite-min-size 4mb");
  private final RuntimeState audit;

  RedisSoakStore(CallGate gate) {
    this.gate = gate;
    audit = Await.get(RuntimeState.open(vertx, options(server.uri())));
  }

  private static RuntimeStateOptions options(String uri) {
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setKeyPrefix("soak")
            .setCommandTimeout(Duration.ofSeconds(5))
            .setCloseTimeout(Duration.ofMillis(500));
    options.getRedis().setUrl(uri);
    return options;
  }

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public Access open() {
    return new Proxied();
  }

  @Override
  public RuntimeState audit() {
    return audit;
  }

  @Override
  public boolean countsExactly() {
    return false;
  }

  @Override
  public boolean restart(Random random) {
    if (random.nextBoolean()) {
      server.kill();
    } else {
      server.stop();
    }
    server.startAgain();
    return true;
  }

  @Override
  public void close() {
    Await.get(audit.close());
    Await.get(vertx.close());
    server.close();
  }

  private final class Proxied implements Access {
    private final FaultProxy proxy = FaultProxy.start(vertx, server.port());
    private final StateBackend backend = Await.get(RedisBackend.open(vertx, options(proxy.uri())));
    private final SoakDoor door = new SoakDoor(vertx, backend, gate, backend::close);
    private final RuntimeState state = RuntimeState.over(vertx, door);

    @Override
    public RuntimeState state() {
      return state;
    }

    @Override
    public void cut(Random random) {
      switch (random.nextInt(4)) {
        case 0 -> proxy.cut();
        case 1 -> proxy.hangUp();
        case 2 -> proxy.cutAfterReplies(random.nextInt(20));
        default -> proxy.cutAfterRequestBytes(random.nextInt(4_000));
      }
    }

    @Override
    public void heal() {
      // cuts are over as soon as they are made
    }

    @Override
    public void kill() {
      door.die();
      proxy.close();
      backend.close();
      state.close();
    }

    @Override
    public void close() {
      Await.get(state.close());
      proxy.close();
    }
  }
}
