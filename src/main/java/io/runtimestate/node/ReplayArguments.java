package io.runtimestate.node;

import io.runtimestate.config.RuntimeStateOptions;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** What the replay is told to do. */
record ReplayArguments(Path file, Optional<Path> conf) {
  static final String USAGE =
      """
      usage: mvn -q compile exec:java@replay -Dexec.args="FILE.tsv [--conf FILE.json]"
        FILE.tsv          a header line, then epoch_seconds, client, method, path, status, bytes,
                          separated by tabs
        --conf FILE.json  the node's configuration, such as conf/redis.json; memory without it\
      """;

  /** The arguments make no sense. */
  static final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    Wrong(String message) {
      super(message);
    }
  }

  static ReplayArguments parse(List<String> args) throws Wrong {
    Deque<String> left = new ArrayDeque<>(args);
    Path file = null;
    Path conf = null;
    while (!left.isEmpty()) {
      String arg = left.pop();
      switch (arg) {
        case "--conf", "-conf" -> conf = Path.of(valueOf(arg, left));
        default -> file = theOnly(file, arg);
      }
    }
    if (file == null) {
      throw new Wrong("a file is required");
    }
    return new ReplayArguments(file, Optional.ofNullable(conf));
  }

  private static String valueOf(String option, Deque<String> left) throws Wrong {
    if (left.isEmpty()) {
      throw new Wrong(option + " needs a value");
    }
    return left.pop();
  }

  private static Path theOnly(Path file, String arg) throws Wrong {
    if (arg.startsWith("-") || file != null) {
      throw new Wrong("unknown argument " + arg);
    }
    return Path.of(arg);
  }

  /** The configuration of the node: the file, or the usual one, and the environment. */
  RuntimeStateOptions options() {
    return conf.map(NodeConfig::read).orElseGet(NodeConfig::usual);
  }
}
