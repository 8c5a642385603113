package io.runtimestate.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.vertx.redis.client.Command;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which word of a command is its first key, which decides the server in a cluster. */
final class FirstKey {
  static final int NONE = -1;

  private static final int AFTER_SCRIPT_AND_COUNT = 2;
  private static final int AFTER_SUBCOMMAND = 1;
  private static final int AFTER_GROUP_AND_OPTIONS = -2;

  private static final Map<Command, Integer> ODD_PLACES =
      Map.of(
          Command.EVAL, AFTER_SCRIPT_AND_COUNT,
          Command.EVALSHA, AFTER_SCRIPT_AND_COUNT,
          Command.XGROUP, AFTER_SUBCOMMAND,
          Command.XINFO, AFTER_SUBCOMMAND,
          Command.XREADGROUP, AFTER_GROUP_AND_OPTIONS);

  private static final Set<Command> WITHOUT_KEY =
      Set.of(
          Command.PING, Command.TIME, Command.INFO, Command.SCAN, Command.CLIENT, Command.PUBLISH);

  private FirstKey() {}

  /** The place among the words behind the command's name. */
  static int of(Command command, List<byte[]> words) {
    int place = WITHOUT_KEY.contains(command) ? NONE : ODD_PLACES.getOrDefault(command, 0);
    int found = place == AFTER_GROUP_AND_OPTIONS ? afterStreams(words) : place;
    return found < words.size() ? found : NONE;
  }

  private static int afterStreams(List<byte[]> words) {
    int at = 3; // behind GROUP, the group and the consumer, which may have any name
    while (at < words.size() && !new String(words.get(at), US_ASCII).equals("STREAMS")) {
      at++;
    }
    return at + 1;
  }
}
