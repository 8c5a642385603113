package io.runtimestate.redis;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSession;

/**
 * The socket the Redis client is given: what it writes goes through a {@link LaneWriter}. A write
 * is answered before it has happened; one that fails closes the socket, which the client hears of.
 */
final class LaneSocket implements NetSocket {
  private final NetSocketInternal socket;
  private final LaneWriter writer;
  private final SocketAddress remote;
  private final Future<Void> accepted;

  /**
   * @param accepted the answer to all writes
   */
  LaneSocket(NetSocketInternal socket, LaneWriter writer, Future<Void> accepted) {
    this.socket = socket;
    this.writer = writer;
    this.remote = RemoteAddress.of(socket.remoteAddress());
    this.accepted = accepted;
  }

  @Override
  public Future<Void> write(Buffer command) {
    writer.write(((BufferInternal) command).unwrap());
    return accepted;
  }

  @Override
  public Future<Void> write(String text) {
    return write(Buffer.buffer(text));
  }

  @Override
  public Future<Void> write(String text, String encoding) {
    return write(Buffer.buffer(text, encoding));
  }

  @Override
  public NetSocket exceptionHandler(Handler<Throwable> handler) {
    socket.exceptionHandler(handler);
    return this;
  }

  @Override
  public NetSocket handler(Handler<Buffer> handler) {
    socket.handler(handler);
    return this;
  }

  @Override
  public NetSocket pause() {
    socket.pause();
    return this;
  }

  @Override
  public NetSocket resume() {
    socket.resume();
    return this;
  }

  @Override
  public NetSocket fetch(long amount) {
    socket.fetch(amount);
    return this;
  }

  @Override
  public NetSocket endHandler(Handler<Void> handler) {
    socket.endHandler(handler);
    return this;
  }

  @Override
  public NetSocket setWriteQueueMaxSize(int maxSize) {
    socket.setWriteQueueMaxSize(maxSize);
    return this;
  }

  @Override
  public boolean writeQueueFull() {
    return socket.writeQueueFull();
  }

  @Override
  public NetSocket drainHandler(Handler<Void> handler) {
    socket.drainHandler(handler);
    return this;
  }

  @Override
  public String writeHandlerID() {
    return socket.writeHandlerID();
  }

  @Override
  public Future<Void> sendFile(String filename, long offset, long length) {
    writer.sendGathered();
    return socket.sendFile(filename, offset, length);
  }

  @Override
  public SocketAddress remoteAddress() {
    return remote;
  }

  @Override
  public SocketAddress remoteAddress(boolean real) {
    return socket.remoteAddress(real);
  }

  @Override
  public SocketAddress localAddress() {
    return socket.localAddress();
  }

  @Override
  public SocketAddress localAddress(boolean real) {
    return socket.localAddress(real);
  }

  @Override
  public Future<Void> end() {
    return close();
  }

  @Override
  public Future<Void> close() {
    return socket.close();
  }

  @Override
  public NetSocket closeHandler(Handler<Void> handler) {
    socket.closeHandler(handler);
    return this;
  }

  @Override
  public NetSocket shutdownHandler(Handler<Duration> handler) {
    socket.shutdownHandler(handler);
    return this;
  }

  @Override
  public Future<Void> upgradeToSsl(SSLOptions options, String serverName, Buffer upgrade) {
    return socket.upgradeToSsl(options, serverName, upgrade);
  }

  @Override
  public boolean isSsl() {
    return socket.isSsl();
  }

  @Override
  public SSLSession sslSession() {
    return socket.sslSession();
  }

  @Override
  public String indicatedServerName() {
    return socket.indicatedServerName();
  }

  @Override
  public String applicationLayerProtocol() {
    return socket.applicationLayerProtocol();
  }

  @Override
  public List<Map.Entry<Buffer, Buffer>> proxyProtocolV2HeaderTLVs() {
    return socket.proxyProtocolV2HeaderTLVs();
  }
}
