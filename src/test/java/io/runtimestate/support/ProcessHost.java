package io.runtimestate.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A server process of this JVM: loopback only, a directory of its own, ended with the JVM. */
final class ProcessHost implements RedisHost {

  private static final Duration START_LIMIT = Duration.ofSeconds(10);

  /** The line of a cluster node, which takes a second port for its bus. */
  static final String CLUSTERED = "cluster-enabled yes";

  private static final int BUS_OFFSET = 10_000;
  private static final Set<ProcessHost> LIVE = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> LIVE.forEach(ProcessHost::close), "redis-stop"));
  }

  private final String binary;
  private final String[] arguments;
  private final int port;
  private final Path directory;
  private Process process;

  private ProcessHost(String binary, List<String> extraLines, String... arguments)
      throws IOException {
    this.binary = binary;
    this.arguments = arguments;
    port = extraLines.contains(CLUSTERED) ? freePortWithBus() : freePort();
    directory = Files.createTempDirectory("runtime-state-redis");
    Files.write(config(), configLines(extraLines));
  }

  /** Starts a server; a port that somebody else took in between is tried anew. */
  static ProcessHost started(String binary, List<String> extraLines, String... arguments) {
    AssertionError last = null;
    for (int attempt = 0; attempt < 3; attempt++) {
      var host = created(binary, extraLines, arguments);
      try {
        host.start();
        return host;
      } catch (AssertionError e) {
        host.close();
        last = e;
      }
    }
    throw last;
  }

  private static ProcessHost created(String binary, List<String> extraLines, String... arguments) {
    try {
      return new ProcessHost(binary, extraLines, arguments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> configLines(List<String> extraLines) {
    var lines = new ArrayList<String>();
    lines.add("bind 127.0.0.1");
    lines.add("port " + port);
    lines.add("dir \"" + directory + "\"");
    lines.add("save \"\"");
    lines.add("appendonly no");
    lines.add("daemonize no");
    lines.addAll(extraLines);
    return lines;
  }

  @Override
  public String hostName() {
    return "127.0.0.1";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public synchronized void start() {
    if (process != null) {
      throw new IllegalStateException("already running");
    }
    process = launch();
    LIVE.add(this);
    Await.until(this::answersOrDied, START_LIMIT, "redis-server answers");
    if (!process.isAlive()) {
      process = null;
      throw new AssertionError("the Redis server did not start:\n" + log());
    }
  }

  private Process launch() {
    List<String> command = new ArrayList<>(List.of(binary, config().toString()));
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command)
          .directory(directory.toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answersOrDied() {
    return !process.isAlive() || RedisProbe.answers(hostName(), port);
  }

  @Override
  public synchronized void stop() {
    if (process != null) {
      signal("CONT");
      process.destroy();
      if (!exited()) {
        process.destroyForcibly();
        exited();
      }
      process = null;
    }
  }

  @Override
  public synchronized void kill() {
    if (process != null) {
      process.destroyForcibly();
      exited();
      process = null;
    }
  }

  @Override
  public void pause() {
    signal("STOP");
  }

  @Override
  public void resume() {
    signal("CONT");
  }

  private synchronized void signal(String name) {
    if (process == null) {
      throw new IllegalStateException("not running");
    }
    try {
      String pid = Long.toString(process.pid());
      new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean exited() {
    try {
      return process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void forgetData() {
    delete(directory.resolve("dump.rdb"));
  }

  @Override
  public void close() {
    kill();
    LIVE.remove(this);
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(ProcessHost::delete);
    } catch (IOException e) {
      // Already gone, or the system cleans its own temporary files.
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path config() {
    return directory.resolve("redis.conf");
  }

  private Path logFile() {
    return directory.resolve("redis.log");
  }

  private String log() {
    try {
      return Files.readString(logFile());
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  static int freePort() {
    try (var socket = listening(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Below the ports the system hands out, since the bus is above those of most. */
  private static int freePortWithBus() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int candidate = ThreadLocalRandom.current().nextInt(11_000, 20_000);
      try (var own = listening(candidate);
          var bus = listening(candidate + BUS_OFFSET)) {
        return Math.min(own.getLocalPort(), bus.getLocalPort());
      } catch (IOException taken) {
        // The next one.
      }
    }
    throw new AssertionError("no free pair of ports");
  }

  private static ServerSocket listening(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
