package io.runtimestate.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The user with no more permissions than README.md asks for. */
public final class ReadmeAcl {
  /** Its name. */
  public static final String USER = "runtime-state";

  private static final String USER_LINE = "    user " + USER + " ";

  private ReadmeAcl() {}

  /**
   * Creates it as the README says, with other keys and the channels named alike.
   *
   * @param keys a rule such as {@code ~prefix:*}
   */
  public static void createUser(RedisServer server, String password, String keys) {
    Stream<String> rules =
        rules().stream()
            .map(rule -> rule.replace("<password>", password))
            .map(rule -> rule.replace("~rs:*", keys).replace("&rs:*", keys.replace('~', '&')));
    try (var side = server.side()) {
      side.command(Stream.concat(Stream.of("ACL", "SETUSER", USER), rules).toArray(String[]::new));
    }
  }

  /** The rules behind the user's name. */
  public static List<String> rules() {
    try {
      String block =
          Files.readString(Path.of("README.md"))
              .lines()
              .dropWhile(line -> !line.startsWith(USER_LINE))
              .takeWhile(line -> line.startsWith("    "))
              .collect(Collectors.joining(" "));
      return List.of(block.substring(USER_LINE.length()).trim().split("\\s+"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
