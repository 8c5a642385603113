package io.runtimestate.redis;

import io.runtimestate.config.RedisUrl;

/** Where a server says that another one is. */
record Address(String host, int port) {
  private static final String UNKNOWN_HOST = "?";

  /**
   * @param asked the host of the server that says so, which stands for one it does not know
   */
  static Address of(String host, int port, String asked) {
    return new Address(host.isEmpty() || host.equals(UNKNOWN_HOST) ? asked : host, port);
  }

  static Address of(RedisUrl url) {
    return new Address(url.host(), url.port());
  }

  /** Reads {@code host:port}; the host may be missing, or have colons itself. */
  static Address read(String text, String asked) {
    int colon = text.lastIndexOf(':');
    int port = Integer.parseInt(text.substring(colon + 1));
    return of(text.substring(0, Math.max(0, colon)), port, asked);
  }

  /** This place, reached in the same way as another one. */
  RedisUrl like(RedisUrl other) {
    return new RedisUrl(
        other.scheme(), host, port, "", other.username(), other.password(), other.database());
  }
}
