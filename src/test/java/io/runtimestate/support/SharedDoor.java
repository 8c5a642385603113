package io.runtimestate.support;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** One way to one store that all cases of a JVM share, since opening costs more than most cases. */
final class SharedDoor implements AutoCloseable {
  private static final int ENOUGH_VALUES = 1_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final DoorKind kind;
  private final RedisWay way;
  private final Vertx vertx = Vertx.vertx();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
  private final String base = freshBase();
  private RuntimeState owner;
  private RuntimeState first;
  private RuntimeState second;

  private SharedDoor(DoorKind kind, RedisWay way) {
    this.kind = kind;
    this.way = way;
    vertx.exceptionHandler(uncaught::add);
  }

  /**
   * @param way of the redis door
   */
  static SharedDoor open(DoorKind kind, RedisWay way) {
    SharedDoor door = new SharedDoor(kind, way);
    try {
      door.open();
      return door;
    } catch (Throwable failure) {
      Await.get(door.vertx.close());
      throw failure;
    }
  }

  private void open() {
    RuntimeStateOptions options = options(prefix);
    options.getMemory().setMaxValues(ENOUGH_VALUES);
    options.getEventBus().setExpose(true).setBase(base);
    owner = Await.get(RuntimeState.open(vertx, options));
    first = kind == DoorKind.BUS ? Await.get(RuntimeState.connect(vertx, base)) : owner;
    second = Await.get(anotherHandle());
  }

  private Future<RuntimeState> anotherHandle() {
    return kind == DoorKind.REDIS
        ? RuntimeState.open(vertx, options(prefix))
        : RuntimeState.connect(vertx, base);
  }

  /** What a runtime of this kind is opened with; only the prefix decides whose store it is. */
  RuntimeStateOptions options(String keyPrefix) {
    RuntimeStateOptions options = new RuntimeStateOptions().setKeyPrefix(keyPrefix);
    if (kind == DoorKind.REDIS) {
      way.applyTo(options.setBackend(BackendMode.REDIS).getRedis());
      options.getRedis().setOpenTimeout(PATIENCE); // the first open on a busy machine is slow
    }
    return options;
  }

  /** The same for a server of one's own that is neither sentinel nor in a cluster. */
  RuntimeStateOptions options(String keyPrefix, RedisServer own) {
    RuntimeStateOptions options =
        new RuntimeStateOptions().setKeyPrefix(keyPrefix).setBackend(BackendMode.REDIS);
    way.applyTo(options.getRedis().setOpenTimeout(PATIENCE), own);
    return options;
  }

  /** An event-bus base, or a key prefix, that nobody has used. */
  static String freshBase() {
    return "test" + NAMES.incrementAndGet();
  }

  /** Those whose connections are counted. */
  List<RedisServer> servers() {
    return kind == DoorKind.REDIS ? way.servers() : List.of();
  }

  DoorKind kind() {
    return kind;
  }

  Vertx vertx() {
    return vertx;
  }

  String prefix() {
    return prefix;
  }

  String base() {
    return base;
  }

  RuntimeState first() {
    return first;
  }

  RuntimeState second() {
    return second;
  }

  Queue<Throwable> uncaught() {
    return uncaught;
  }

  @Override
  public void close() {
    for (RuntimeState state : List.of(first, second, owner)) {
      Await.get(state.close());
    }
    Await.get(vertx.close());
    if (kind == DoorKind.REDIS) {
      servers().forEach(server -> RedisKeys.delete(server, prefix));
    }
  }
}
