package io.runtimestate.redis;

import io.vertx.core.net.SocketAddress;

/**
 * Where a connection leads, as text that is made once: the client asks for it with every command,
 * and Vert.x would make it anew each time.
 */
record RemoteAddress(
    String host, String hostName, String hostAddress, int port, String path, String text)
    implements SocketAddress {

  static SocketAddress of(SocketAddress address) {
    return new RemoteAddress(
        address.host(),
        address.hostName(),
        address.hostAddress(),
        address.port(),
        address.path(),
        address.toString());
  }

  @Override
  public boolean isInetSocket() {
    return path == null;
  }

  @Override
  public boolean isDomainSocket() {
    return path != null;
  }

  @Override
  public String toString() {
    return text;
  }
}
