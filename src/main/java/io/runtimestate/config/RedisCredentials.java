package io.runtimestate.config;

import java.util.Objects;
import java.util.Optional;

/**
 * Whom to sign in as on a server. It never prints what it holds.
 *
 * @param username the ACL user; absent for the default one
 * @param password used byte for byte
 */
public record RedisCredentials(Optional<String> username, String password) {
  /** Neither may be null. */
  public RedisCredentials {
    Objects.requireNonNull(username, "username");
    Objects.requireNonNull(password, "password");
  }

  /** Of an ACL user. */
  public RedisCredentials(String username, String password) {
    this(Optional.of(username), password);
  }

  @Override
  public String toString() {
    return "RedisCredentials";
  }
}
