package io.runtimestate.bench;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the server and the machine can do at all: the smallest command and the smallest script, by
 * our door, by the plain client and by redis-benchmark, which is left out if it is not on the PATH.
 */
final class LimitsScenario implements Scenario {
  private static final String SCRIPT = "return 1";
  private static final int TRIAL = 20_000;

  @Override
  public String name() {
    return "limits";
  }

  @Override
  public String title() {
    return "Redis: physical limits";
  }

  @Override
  public void run(Bench bench) throws Exception {
    try (RedisStage stage = new RedisStage(bench.arguments())) {
      RedisConnection plain = stage.plain();
      String sha = load(stage, plain);
      for (int depth : bench.arguments().depths(1, 16, 256, 4_096)) {
        compare(bench, stage, depth, sha);
      }
    }
  }

  private static String load(RedisStage stage, RedisConnection plain) throws Exception {
    return Stage.on(stage.caller, () -> plain.send(Request.cmd(Command.SCRIPT, "LOAD", SCRIPT)))
        .toString();
  }

  private static void compare(Bench bench, RedisStage stage, int depth, String sha)
      throws Exception {
    RedisConnection plain = stage.plain();
    var kv = stage.state().kv();
    Load load = new Load(depth, Starts.REPLY, stage.caller);
    List<Contender> all = new ArrayList<>();
    all.add(Peer.of("our get", (n, slot) -> kv.get(Stage.key(n)).onComplete(slot)).under(load));
    all.add(plain("plain client: PING", plain, load, Request.cmd(Command.PING)));
    all.add(
        plain(
            "plain client: empty script", plain, load, Request.cmd(Command.EVALSHA, sha, 1, "k")));
    program().ifPresent(path -> all.addAll(benchmarks(path, stage.uri(), depth, sha)));
    List<Contender> metered =
        all.stream().<Contender>map(each -> new ServerMetered(each, stage)).toList();
    bench.compare(new Comparison(depth + " in flight", metered));
  }

  private static Contender plain(String name, RedisConnection plain, Load load, Request request) {
    return Peer.of(name, (n, slot) -> plain.send(request).onComplete(slot)).under(load);
  }

  private static List<Contender> benchmarks(String path, URI uri, int depth, String sha) {
    return List.of(
        new RedisBenchmark(path, uri, depth, "PING", List.of("PING")),
        new RedisBenchmark(path, uri, depth, "GET", List.of("GET", "session:0:state")),
        new RedisBenchmark(path, uri, depth, "empty script", List.of("EVALSHA", sha, "1", "k")));
  }

  private static Optional<String> program() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(directory -> Path.of(directory, "redis-benchmark"))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** One connection, so many commands in flight. */
  private static final class RedisBenchmark implements Contender {
    private final String program;
    private final URI uri;
    private final int depth;
    private final String name;
    private final List<String> command;
    private double perSecond;

    RedisBenchmark(String program, URI uri, int depth, String name, List<String> command) {
      this.program = program;
      this.uri = uri;
      this.depth = depth;
      this.name = name;
      this.command = command;
    }

    @Override
    public String name() {
      return "redis-benchmark: " + name;
    }

    @Override
    public Sample round(long millis) throws Exception {
      double requests = perSecond == 0 ? TRIAL : perSecond * millis / 1_000;
      long rounded = Math.max(depth, (long) requests);
      perSecond = run(rounded);
      return Sample.ofProcess(rounded, perSecond);
    }

    private double run(long requests) throws Exception {
      List<String> line = new ArrayList<>(List.of(program, "-u", uri.toString(), "--csv"));
      line.addAll(List.of("-c", "1", "-P", "" + depth, "-n", "" + requests));
      line.addAll(command);
      Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes());
      return text.lines()
          .map(row -> row.split("\",\""))
          .filter(row -> row.length > 2 && row[1].matches("[0-9.]+"))
          .mapToDouble(row -> Double.parseDouble(row[1]))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("redis-benchmark: " + text));
    }
  }
}
