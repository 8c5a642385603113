package io.runtimestate.support;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A TCP proxy that breaks connections in every way a network can.
 *
 * <p>Its connections live on one event loop of their own. A method called from a test thread
 * returns when it has happened; called on an event loop it only starts it.
 */
public final class FaultProxy implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final ContextInternal context;
  private final NetServer server;
  private final NetClient client;
  private final int targetPort;
  private final Set<FaultLink> links = new LinkedHashSet<>(); // Only on the context's loop.
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  final FaultPlan plan = new FaultPlan();

  private FaultProxy(Vertx vertx, int targetPort) {
    this.targetPort = targetPort;
    context = ((VertxInternal) vertx).createEventLoopContext();
    server = vertx.createNetServer().connectHandler(this::connected);
    client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(2_000));
  }

  /** Listens on a free loopback port and forwards to {@code targetPort} on loopback. */
  public static FaultProxy start(Vertx vertx, int targetPort) {
    var proxy = new FaultProxy(vertx, targetPort);
    proxy.await(proxy.onLoop(() -> proxy.server.listen(0, "127.0.0.1")));
    return proxy;
  }

  /** Resets every connection (RST towards the client). */
  public void cut() {
    each(FaultLink::reset);
  }

  /** Resets so many connections, those that were made last. */
  public void cutNewest(int count) {
    await(
        onLoop(
            () -> {
              List<FaultLink> all = List.copyOf(links);
              all.subList(all.size() - count, all.size()).forEach(FaultLink::reset);
              return Future.succeededFuture();
            }));
  }

  /** Closes every connection in good order (FIN), as a server that is killed does. */
  public void hangUp() {
    each(FaultLink::close);
  }

  /** Keeps all sockets, present and future, and forwards nothing in either direction. */
  public void stall() {
    plan.stalled = true;
    each(FaultLink::follow);
  }

  /** Ends {@link #stall}: what was held back flows now. */
  public void resume() {
    plan.stalled = false;
    each(FaultLink::follow);
  }

  /** Forwards requests and drops replies, for good. */
  public void mute() {
    plan.muted = true;
    settle();
  }

  public void unmute() {
    plan.muted = false;
    settle();
  }

  /** Holds every piece of a reply back for so long; the order is kept. */
  public void delay(long millis) {
    plan.delayMillis = millis;
    settle();
  }

  /** Sends replies in pieces of at most {@code size} bytes; 0 ends it. */
  public void chunk(int size) {
    plan.chunk = size;
    settle();
  }

  /** Closes new connections at once; those there are live on. */
  public void refuse() {
    plan.refusing = true;
    settle();
  }

  public void accept() {
    plan.refusing = false;
    settle();
  }

  /**
   * The next request reaches the server and is carried out; instead of its reply the client gets a
   * reset. For a connection with nothing in flight.
   */
  public void cutAfterNextRequest() {
    plan.cutAtReply = true;
    settle();
  }

  /** Forwards so many more bytes to the server, counted over all connections, then resets. */
  public void cutAfterRequestBytes(long bytes) {
    plan.requestBytesLeft = bytes;
    settle();
  }

  /** Forwards so many more whole replies, counted over all connections, then closes (FIN). */
  public void cutAfterReplies(int replies) {
    plan.repliesLeft = replies;
    settle();
  }

  /** How many connections were taken since the start, refused ones not counted. */
  public long accepted() {
    return accepted.get();
  }

  public long refused() {
    return refused.get();
  }

  /** How many client connections are open now. A stalled one is not seen to close. */
  public long open() {
    return open.get();
  }

  public long bytesToServer() {
    return plan.bytesToServer.get();
  }

  public long bytesToClient() {
    return plan.bytesToClient.get();
  }

  public int port() {
    return server.actualPort();
  }

  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  public String uri(String user, String password, int database) {
    return "redis://" + user + ":" + password + "@127.0.0.1:" + port() + "/" + database;
  }

  /** Resets what is open and stops listening. */
  @Override
  public void close() {
    cut();
    await(server.close());
    await(client.close());
  }

  private void connected(NetSocket socket) {
    if (plan.refusing) {
      refused.incrementAndGet();
      socket.close();
      return;
    }
    accepted.incrementAndGet();
    open.incrementAndGet();
    var link = new FaultLink(context, socket, plan, this::forget);
    links.add(link);
    client.connect(targetPort, "127.0.0.1").onComplete(link::target, unreachable -> link.close());
  }

  private void forget(FaultLink link) {
    if (links.remove(link)) {
      open.decrementAndGet();
    }
  }

  private void each(Consumer<FaultLink> action) {
    await(
        onLoop(
            () -> {
              List.copyOf(links).forEach(action);
              return Future.succeededFuture();
            }));
  }

  /** Returns when the loop has seen the new plan. */
  private void settle() {
    each(link -> {});
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> action) {
    var promise = context.<T>promise();
    context.runOnContext(
        ignored -> {
          try {
            action.get().onComplete(promise);
          } catch (RuntimeException e) {
            promise.fail(e); // Else the test would wait for nothing.
          }
        });
    return promise.future();
  }

  private void await(Future<?> future) {
    if (!Context.isOnVertxThread()) {
      Await.within(LIMIT, future);
    }
  }
}
