package io.runtimestate.redis;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.PromiseInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.internal.net.NetClientInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.Metrics;
import java.time.Duration;

/**
 * The Vertx the Redis client is given: every socket it opens writes through a {@link LaneWriter},
 * just before Vert.x's own handler and therefore behind TLS, so that writes merge before they are
 * encrypted.
 */
final class FlushMergingVertx extends VertxWrapper {
  private static final System.Logger LOG = System.getLogger(FlushMergingVertx.class.getName());

  FlushMergingVertx(VertxInternal vertx) {
    super(vertx);
  }

  /**
   * What the client hears with ends on the stack of the reply: the exchange it belongs to goes to
   * its caller's context itself, and once is enough.
   */
  @Override
  public <T> PromiseInternal<T> promise() {
    return (PromiseInternal<T>) Promise.<T>promise();
  }

  @Override
  public NetClient createNetClient(NetClientOptions options) {
    return new Client((NetClientInternal) super.createNetClient(options));
  }

  private record Client(NetClientInternal net) implements NetClientInternal {
    @Override
    public void connectInternal(
        ConnectOptions options, Promise<NetSocket> connected, ContextInternal context) {
      context.exceptionHandler(Client::caught); // the connection's own
      Promise<NetSocket> socket = context.promise();
      Future<Void> accepted = context.succeededFuture();
      socket
          .future()
          .<NetSocket>map(made -> merging((NetSocketInternal) made, accepted))
          .onComplete(connected);
      net.connectInternal(options, socket, context);
    }

    /** With assertions on, the client trips over each write that a lost connection left behind. */
    private static void caught(Throwable failure) {
      if (!(failure instanceof AssertionError)) {
        LOG.log(System.Logger.Level.WARNING, "unexpected failure of a Redis connection", failure);
      }
    }

    private static NetSocket merging(NetSocketInternal socket, Future<Void> accepted) {
      ChannelHandlerContext vertx = socket.channelHandlerContext();
      LaneWriter writer = new LaneWriter(bytes -> write(socket, bytes));
      vertx.pipeline().addBefore(vertx.name(), "lane-writer", writer);
      vertx.pipeline().addBefore(vertx.name(), "lane-loss", new LaneLoss());
      return new LaneSocket(socket, writer, accepted);
    }

    /** A connection that lost a command cannot go on: later replies would answer others. */
    private static void write(NetSocketInternal socket, ByteBuf bytes) {
      socket.writeMessage(bytes).onFailure(lost -> socket.close());
    }

    @Override
    public Future<Void> closeFuture() {
      return net.closeFuture();
    }

    @Override
    public Future<NetSocket> connect(int port, String host) {
      return net.connect(port, host);
    }

    @Override
    public Future<NetSocket> connect(int port, String host, String serverName) {
      return net.connect(port, host, serverName);
    }

    @Override
    public Future<NetSocket> connect(SocketAddress address) {
      return net.connect(address);
    }

    @Override
    public Future<NetSocket> connect(SocketAddress address, String serverName) {
      return net.connect(address, serverName);
    }

    @Override
    public Future<NetSocket> connect(ConnectOptions options) {
      return net.connect(options);
    }

    @Override
    public Future<Void> shutdown(Duration timeout) {
      return net.shutdown(timeout);
    }

    @Override
    public Future<Boolean> updateSSLOptions(ClientSSLOptions options, boolean force) {
      return net.updateSSLOptions(options, force);
    }

    @Override
    public void close(Completable<Void> completion) {
      net.close(completion);
    }

    @Override
    public boolean isMetricsEnabled() {
      return net.isMetricsEnabled();
    }

    @Override
    public Metrics getMetrics() {
      return net.getMetrics();
    }
  }
}
