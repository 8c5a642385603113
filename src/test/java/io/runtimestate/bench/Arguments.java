package io.runtimestate.bench;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The command line of {@link LoadBench}: names of scenarios and options with one value each. */
final class Arguments {
  static final String USAGE =
      """
      usage: SCENARIO... [options]
        --rounds N       measured rounds of every contender (7)
        --millis N       length of a round, in ms (the scenario knows)
        --warmup N       length of a round of warming up, in ms (as long)
        --depths N,N     operations in flight, where the scenario offers a choice
        --match REGEX    only comparisons whose name contains it
        --only A,B       only these contenders, and always the first
        --keys N         many keys of the scale scenarios (1000000)
        --redis URI      a server of your own; it must be empty (otherwise one is started)
        --out DIRECTORY  where results go (target/bench)
      """;

  private final List<String> line;
  private final List<String> names = new ArrayList<>();
  private final Map<String, String> options = new HashMap<>();

  Arguments(String... line) {
    this.line = List.of(line);
    for (int i = 0; i < line.length; i++) {
      if (!line[i].startsWith("--")) {
        names.add(line[i]);
      } else if (i + 1 < line.length && USAGE.contains("  " + line[i] + " ")) {
        options.put(line[i].substring(2), line[++i]);
      } else {
        throw new IllegalArgumentException(line[i] + " is no option, or has no value\n" + USAGE);
      }
    }
  }

  List<String> names() {
    return names;
  }

  int rounds() {
    return number("rounds", 7);
  }

  int millis(int usual) {
    return number("millis", usual);
  }

  int warmUpMillis(int usual) {
    return number("warmup", usual);
  }

  int keys() {
    return number("keys", 1_000_000);
  }

  /** The depths asked for, else those the scenario proposes. */
  List<Integer> depths(Integer... proposed) {
    return text("depths")
        .map(text -> Stream.of(text.split(",")).map(Integer::valueOf).toList())
        .orElse(List.of(proposed));
  }

  boolean wants(String comparison) {
    return text("match")
        .map(regex -> Pattern.compile(regex).matcher(comparison).find())
        .orElse(true);
  }

  boolean wantsContender(String contender) {
    return text("only").map(text -> List.of(text.split(",")).contains(contender)).orElse(true);
  }

  Optional<URI> redis() {
    return text("redis").map(URI::create);
  }

  Path out() {
    return Path.of(text("out").orElse("target/bench"));
  }

  /** The line itself; the password of a server is nobody's business. */
  @Override
  public String toString() {
    return String.join(" ", line).replaceAll("//[^@ ]*@", "//***@");
  }

  private int number(String option, int usual) {
    return text(option).map(Integer::valueOf).orElse(usual);
  }

  private Optional<String> text(String option) {
    return Optional.ofNullable(options.get(option));
  }
}
