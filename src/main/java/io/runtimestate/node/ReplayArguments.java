package io.runtimestate.node;

import io.runtimestate.config.RuntimeStateOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the replay is told to do. */
record ReplayArguments(
    Path file, Optional<Path> conf, Optional<AdmissionLimit> limit, int workers, long killAfter) {
  static final String USAGE =
      """
      usage: mvn -q compile exec:java@replay -Dexec.args="FILE.tsv [options]"
        FILE.tsv          a header line, then epoch_seconds, client, method, path, status, bytes,
                          separated by tabs
        --conf FILE.json  the node's configuration, such as conf/redis.json; memory without it
        --limit N --window SECONDS
                          admit at most N requests of a client in any window, by the log's own
                          clock; everything without it
        --twice           send every check of the limit two times, which must change nothing
        --workers N       have the bytes of each client added up by N workers as well, which get
                          the admitted requests through a stream; on Redis each is a process
        --kill N          kill the first of at least two such processes after N requests\
      """;

  private static final String FILE = "FILE.tsv";
  private static final String CONF = "--conf";
  private static final String LIMIT = "--limit";
  private static final String WINDOW = "--window";
  private static final String TWICE = "--twice";
  private static final String WORKERS = "--workers";
  private static final String KILL = "--kill";
  private static final Set<String> WITH_VALUE = Set.of(CONF, LIMIT, WINDOW, WORKERS, KILL);
  private static final Set<String> WITHOUT_VALUE = Set.of(TWICE);

  private static final long MAX_LIMIT = (1L << 53) - 1;
  private static final long MAX_WORKERS = 64;
  private static final long MAX_WINDOW = Duration.ofDays(36_525).toSeconds();

  /** The arguments make no sense. */
  static final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    Wrong(String message) {
      super(message);
    }
  }

  static ReplayArguments parse(List<String> args) throws Wrong {
    Map<String, String> given = given(args);
    require(given.containsKey(FILE), "a file is required");
    int workers = (int) number(WORKERS, given, MAX_WORKERS);
    long killAfter = number(KILL, given, MAX_LIMIT);
    require(killAfter == 0 || workers >= 2, KILL + " needs at least two " + WORKERS);
    return new ReplayArguments(
        Path.of(given.get(FILE)),
        Optional.ofNullable(given.get(CONF)).map(Path::of),
        limit(given),
        workers,
        killAfter);
  }

  private static Map<String, String> given(List<String> args) throws Wrong {
    Map<String, String> given = new HashMap<>();
    Deque<String> left = new ArrayDeque<>(args);
    while (!left.isEmpty()) {
      String arg = left.pop();
      String name = nameOf(arg);
      require(!given.containsKey(name), "unknown argument " + arg);
      given.put(name, WITH_VALUE.contains(name) ? valueOf(arg, left) : arg);
    }
    return given;
  }

  /** The option, with two dashes as with one; anything else is the file. */
  private static String nameOf(String arg) throws Wrong {
    if (!arg.startsWith("-")) {
      return FILE;
    }
    String name = arg.startsWith("--") ? arg : "-" + arg;
    require(WITH_VALUE.contains(name) || WITHOUT_VALUE.contains(name), "unknown argument " + arg);
    return name;
  }

  private static String valueOf(String option, Deque<String> left) throws Wrong {
    require(!left.isEmpty(), option + " needs a value");
    return left.pop();
  }

  private static Optional<AdmissionLimit> limit(Map<String, String> given) throws Wrong {
    boolean limited = given.containsKey(LIMIT);
    boolean twice = given.containsKey(TWICE);
    require(limited == given.containsKey(WINDOW), LIMIT + " and " + WINDOW + " go together");
    require(limited || !twice, TWICE + " needs " + LIMIT);
    if (!limited) {
      return Optional.empty();
    }
    long requests = number(LIMIT, given, MAX_LIMIT);
    Duration window = Duration.ofSeconds(number(WINDOW, given, MAX_WINDOW));
    return Optional.of(new AdmissionLimit(requests, window, twice));
  }

  /** A number from 1; 0 if the option is not given. */
  private static long number(String option, Map<String, String> given, long max) throws Wrong {
    if (!given.containsKey(option)) {
      return 0;
    }
    String text = given.get(option);
    boolean decimal = text.matches("[0-9]{1,18}");
    long number = decimal ? Long.parseLong(text) : 0;
    require(number >= 1 && number <= max, option + " must be a number from 1 to " + max);
    return number;
  }

  private static void require(boolean rule, String message) throws Wrong {
    if (!rule) {
      throw new Wrong(message);
    }
  }

  /** The configuration of the node: the file, or the usual one, and the environment. */
  RuntimeStateOptions options() {
    return conf.map(NodeConfig::read).orElseGet(NodeConfig::usual);
  }
}
