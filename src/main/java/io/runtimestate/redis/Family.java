package io.runtimestate.redis;

import java.util.List;

/** The operations of one family on Redis: flat table lines, and what they need of the server. */
interface Family {
  /** Adds a line for each operation. */
  void register(Commands commands);

  /** The scripts its lines call. */
  default List<Script> scripts() {
    return List.of();
  }

  /**
   * A call without effect for each command its lines and scripts use, to find out at open whether
   * the user may use them all. Permissions are checked before arguments are looked at, but after
   * their number.
   *
   * @param unused a raw key that does not exist
   */
  default List<RedisCommand> probes(String unused) {
    return List.of();
  }
}
