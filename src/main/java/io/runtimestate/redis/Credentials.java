package io.runtimestate.redis;

import io.runtimestate.config.RedisCredentials;
import io.runtimestate.config.RedisUrl;

/** Whom to sign in as; prints nothing of it. */
record Credentials(String username, String password) {
  static final Credentials NONE = new Credentials("", "");
  private static final String DEFAULT_USER = "default";

  static Credentials of(RedisUrl url) {
    return url.username().isEmpty() && url.password().isEmpty()
        ? NONE
        : new Credentials(url.username().orElse(DEFAULT_USER), url.password().orElse(""));
  }

  static Credentials of(RedisCredentials given) {
    return given == null
        ? NONE
        : new Credentials(given.username().orElse(DEFAULT_USER), given.password());
  }

  boolean isNone() {
    return username.isEmpty();
  }

  @Override
  public String toString() {
    return "Credentials";
  }
}
