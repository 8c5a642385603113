package io.runtimestate.redis;

import io.netty.channel.EventLoop;
import io.runtimestate.config.RedisOptions;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * All lanes to one server. Fast lanes are made for the event loops that call, each on its loop, so
 * that a call needs no other thread; loops beyond the limit share those there are. Bulk work has a
 * lane of its own and so have renewals, so that neither waits for the other. Reading a large reply
 * takes a while, so bulk work is on the next event loop and not on that of the opener, who calls.
 */
final class Lanes {
  private final ContextInternal opener;
  private final Connector connector;
  private final LaneLimits limits;
  private final int maxFast;
  private final Servers servers;
  private final Map<EventLoop, Lane> byLoop = new ConcurrentHashMap<>();
  private final Map<Integer, Lane> fast = new ConcurrentHashMap<>();
  private final AtomicInteger loops = new AtomicInteger();
  private final Lane control;
  private final Lane admin;
  private final BlockingLanes blocking;

  Lanes(
      ContextInternal opener,
      Connector connector,
      RedisOptions options,
      int maxBlockedReads,
      Servers servers) {
    this.opener = opener;
    this.connector = connector;
    this.limits = LaneLimits.of(options);
    this.maxFast = options.getFastLanes();
    this.servers = servers;
    control = lane(LaneKind.CONTROL, opener);
    admin = lane(LaneKind.ADMIN, opener.owner().createEventLoopContext());
    blocking =
        new BlockingLanes(
            Loop.of(opener), connector, servers, options.effectiveBlockingLanes(), maxBlockedReads);
  }

  /** The lane of that kind for a call. */
  Lane of(LaneKind kind, Call call) {
    return switch (kind) {
      case FAST -> fast(call.caller());
      case CONTROL -> control;
      case ADMIN -> admin;
      case BLOCKING, NOTICES -> throw new IllegalStateException(kind + " is no shared lane");
    };
  }

  /** Where reads wait. */
  BlockingLanes blocking() {
    return blocking;
  }

  private Lane fast(ContextInternal caller) {
    Lane lane = byLoop.get(caller.nettyEventLoop());
    return lane != null ? lane : firstOf(caller);
  }

  private Lane firstOf(ContextInternal caller) {
    return byLoop.computeIfAbsent(
        caller.nettyEventLoop(),
        loop ->
            fast.computeIfAbsent(
                loops.getAndIncrement() % maxFast, number -> lane(LaneKind.FAST, caller)));
  }

  private Lane lane(LaneKind kind, ContextInternal on) {
    return new Lane(Loop.of(on), connector, servers.kinds().of(kind), limits, servers);
  }

  /** Connects the control lane: the first that is heard of the server. */
  Future<Link> openControl(long timeoutMillis) {
    return control.open(timeoutMillis);
  }

  /** Connects what the opener will use next. */
  Future<Void> openOthers(long timeoutMillis) {
    return Future.all(fast(opener).open(timeoutMillis), admin.open(timeoutMillis)).mapEmpty();
  }

  /** Whether the first that is connected is connected. */
  boolean isUp() {
    return control.isUp();
  }

  /** The servers have changed: what waits here may belong elsewhere. */
  void reroute() {
    all().forEach(Lane::reroute);
    blocking.reroute();
  }

  /** The server is not needed any more. */
  void retire() {
    all().forEach(Lane::retire);
    blocking.retire();
  }

  private Stream<Lane> all() {
    return Stream.concat(Stream.of(control, admin), fast.values().stream());
  }

  /** Fails what is pending and closes all connections. */
  Future<Void> close() {
    List<Future<Void>> ends = new ArrayList<>(List.of(blocking.close()));
    all().forEach(lane -> ends.add(lane.close()));
    return Future.join(ends).mapEmpty();
  }
}
