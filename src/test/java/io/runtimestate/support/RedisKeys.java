package io.runtimestate.support;

import java.util.List;

/** What tests leave on the shared server, which may be one that outlives them. */
final class RedisKeys {
  private RedisKeys() {}

  /** Deletes everything under a prefix of plain letters and digits. */
  static void delete(RedisServer server, String prefix) {
    try (var side = server.side()) {
      if (side.info("replication").get("role").equals("slave")) {
        return;
      }
      String cursor = "0";
      do {
        List<?> page =
            (List<?>) side.command("SCAN", cursor, "MATCH", prefix + ":*", "COUNT", "1000");
        cursor = (String) page.get(0);
        unlink(side, (List<?>) page.get(1));
      } while (!cursor.equals("0"));
    }
  }

  private static void unlink(RedisSide side, List<?> keys) {
    if (!keys.isEmpty()) {
      keys.forEach(key -> side.command("UNLINK", (String) key)); // one slot each
    }
  }
}
