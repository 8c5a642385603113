package io.runtimestate.support;

import java.net.URI;

/** A server somebody else runs: it can be used, not handled. */
record ExternalHost(URI uri) implements RedisHost {

  @Override
  public String hostName() {
    return uri.getHost();
  }

  @Override
  public int port() {
    return uri.getPort() < 0 ? 6379 : uri.getPort();
  }

  @Override
  public String path() {
    return uri.getRawPath();
  }

  @Override
  public void start() {
    throw refused();
  }

  @Override
  public void stop() {
    throw refused();
  }

  @Override
  public void kill() {
    throw refused();
  }

  @Override
  public void pause() {
    throw refused();
  }

  @Override
  public void resume() {
    throw refused();
  }

  @Override
  public void forgetData() {
    throw refused();
  }

  @Override
  public void close() {}

  private static UnsupportedOperationException refused() {
    return new UnsupportedOperationException("this server was given by its address");
  }
}
