package io.runtimestate.support;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.spi.TimeSource;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** What one run of a contract case gets: a store behind one door, and names nobody else uses. */
public final class Fixture {
  private static final AtomicInteger CASES = new AtomicInteger();

  private final SharedDoor door;
  private final SettleCheck settle = new SettleCheck();
  private final String space = "c" + CASES.incrementAndGet() + ":";
  private final List<Future<RuntimeState>> opened = Collections.synchronizedList(new ArrayList<>());
  private final RuntimeState state;
  private final RuntimeState second;

  Fixture(SharedDoor door) {
    this.door = door;
    this.state = settle.watch(door.vertx(), door.first());
    this.second = settle.watch(door.vertx(), door.second());
    door.uncaught().clear();
  }

  /** The way this run takes. */
  public DoorKind kind() {
    return door.kind();
  }

  /** Whether the store is in memory, whichever way leads to it. */
  public boolean isMemory() {
    return door.kind() != DoorKind.REDIS;
  }

  /** The Vertx of the door, shared with other cases. */
  public Vertx vertx() {
    return door.vertx();
  }

  /** The runtime, or the client, under test; shared with other cases, so it must stay open. */
  public RuntimeState state() {
    return state;
  }

  /** A second handle on the same store: another runtime on Redis, else an event-bus client. */
  public RuntimeState second() {
    return second;
  }

  /** A key of this case. */
  public String key(String name) {
    return space + name;
  }

  /** A key of this case that shares a hash slot with all others made so. */
  public String slotKey(String name) {
    return "{" + space + "}" + name;
  }

  /** Keys of this case: the name and a number from 0. */
  public List<String> keys(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> key(name + i)).toList();
  }

  /** The event-bus address of an operation on the shared store. */
  public String address(String operation) {
    return door.base() + "." + operation;
  }

  /** The prefix of the shared store. */
  public String prefix() {
    return door.prefix();
  }

  /** Options for a store of one's own behind the same kind of door. */
  public RuntimeStateOptions options() {
    return door.options(door.prefix() + ":" + SharedDoor.freshBase());
  }

  /** Options for a Redis server of the case's own, used as the one of the door is used. */
  public RuntimeStateOptions options(RedisServer own) {
    return door.options(door.prefix() + ":" + SharedDoor.freshBase(), own);
  }

  /** Opens a runtime, or connects to one opened for it; closed after the case at the latest. */
  public RuntimeState open(RuntimeStateOptions options) {
    return open(options, TimeSource.SYSTEM);
  }

  /** The same with a clock of one's own, which Redis does not look at. */
  public RuntimeState open(RuntimeStateOptions options, TimeSource clock) {
    return Await.get(opening(vertx(), options, clock));
  }

  /**
   * As {@link #open(RuntimeStateOptions)} on the caller's context, for callers that must not wait.
   *
   * @param vertx that of the door, or one of the caller's own
   */
  public Future<RuntimeState> opening(Vertx vertx, RuntimeStateOptions options) {
    return opening(vertx, options, TimeSource.SYSTEM);
  }

  private Future<RuntimeState> opening(Vertx vertx, RuntimeStateOptions options, TimeSource clock) {
    return kind() == DoorKind.BUS
        ? served(vertx, options, clock)
            .compose(base -> kept(vertx, RuntimeState.connect(vertx, base)))
        : kept(vertx, RuntimeState.open(vertx, options, clock));
  }

  private Future<String> served(Vertx vertx, RuntimeStateOptions options, TimeSource clock) {
    RuntimeStateOptions exposed = new RuntimeStateOptions(options);
    if (!options.getEventBus().isExpose()) {
      exposed.getEventBus().setExpose(true).setBase(freshBase());
    }
    Future<RuntimeState> server = RuntimeState.open(vertx, exposed, clock);
    opened.add(server);
    return server.map(exposed.getEventBus().getBase());
  }

  private Future<RuntimeState> kept(Vertx vertx, Future<RuntimeState> state) {
    opened.add(state);
    return state.map(ready -> settle.watch(vertx, ready));
  }

  /** An event-bus base nobody else uses. */
  public String freshBase() {
    return SharedDoor.freshBase();
  }

  /** Lets that much time pass, for whoever has nothing to wait for but the clock. */
  public void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** What no handler caught on this Vertx since the case began; it fails the case if left there. */
  public Queue<Throwable> uncaught() {
    return door.uncaught();
  }

  /** What is open now, at rest: timers, consumers, connections. */
  public Footprint footprint() {
    return Footprint.atRest(this::openNow);
  }

  /** Waits a moment until nothing more is open than at that time; else fails. */
  public void awaitReturn(Footprint baseline) {
    baseline.awaitReturn(this::openNow);
  }

  private Footprint openNow() {
    return Footprint.ofAll(vertx(), door.servers());
  }

  void finish() {
    for (int i = opened.size() - 1; i >= 0; i--) {
      Future<RuntimeState> state = opened.get(i);
      if (state.succeeded()) {
        Future<Void> closed = state.result().close();
        Await.until(closed::isComplete, "it closes"); // its Vertx may have ended before it
      }
    }
    settle.verify();
    if (!uncaught().isEmpty()) {
      throw new AssertionError("nobody caught this", uncaught().peek());
    }
  }
}
