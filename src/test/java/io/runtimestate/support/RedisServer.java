package io.runtimestate.support;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Redis for tests.
 *
 * <p>{@link #shared()} is one server per JVM: the one named by the system property {@code
 * runtimestate.redis.uri} or the variable {@code RUNTIME_STATE_TEST_REDIS_URI}, else a container,
 * else {@code redis-server} from the PATH, else the binary in the embedded-redis jar. {@link
 * #start} gives a server of one's own, to restart, freeze, kill or configure. The property {@code
 * runtimestate.redis.server} ({@code path}, {@code embedded}, {@code docker} or {@code valkey})
 * forces one kind, {@code runtimestate.redis.binary} names another binary than {@code
 * redis-server}. No server at all is a failure, never a skipped test.
 */
public final class RedisServer implements AutoCloseable {

  private static final String ANYONE = "";
  private static final String TLS_PORT = "tls-port ";

  private static RedisServer shared;

  private final RedisHost host;
  private final String login;
  private final int tlsPort;

  private RedisServer(RedisHost host, String login) {
    this(host, login, 0);
  }

  private RedisServer(RedisHost host, String login, int tlsPort) {
    this.host = host;
    this.login = login;
    this.tlsPort = tlsPort;
  }

  private RedisServer withTls(int port) {
    return new RedisServer(host, login, port);
  }

  /** The server all tests of this JVM share. Use a prefix of your own and leave it running. */
  public static synchronized RedisServer shared() {
    if (shared == null) {
      shared = given().map(RedisServer::external).orElseGet(() -> local(RedisSource.shared()));
    }
    return shared;
  }

  private static Optional<URI> given() {
    String variable = System.getenv().getOrDefault("RUNTIME_STATE_TEST_REDIS_URI", "");
    return Stream.of(
            System.getProperty("runtimestate.redis.uri", ""),
            RedisSource.isForced() ? "" : variable)
        .filter(uri -> !uri.isBlank())
        .map(URI::create)
        .findFirst();
  }

  private static RedisServer external(URI uri) {
    String login = uri.getRawUserInfo() == null ? ANYONE : uri.getRawUserInfo() + "@";
    return new RedisServer(new ExternalHost(uri), login);
  }

  /** Starts an empty server with further lines in its configuration file. */
  public static RedisServer start(String... extraConfigLines) {
    String password = passwordIn(extraConfigLines);
    String login = password.isEmpty() ? ANYONE : ":" + encoded(password) + "@";
    return new RedisServer(RedisSource.own(List.of(extraConfigLines)), login);
  }

  /**
   * Starts an empty server that also speaks TLS, on another port.
   *
   * @param authority who must have signed the certificates of clients that show one
   */
  public static RedisServer startTls(
      Certificates authority, Certificates.Issued own, String... extraConfigLines) {
    int port = ProcessHost.freePort();
    String[] lines =
        Stream.concat(
                Stream.of(
                    TLS_PORT + port,
                    "tls-cert-file " + own.certificate(),
                    "tls-key-file " + own.key(),
                    "tls-ca-cert-file " + authority.authorityFile()),
                Stream.of(extraConfigLines))
            .toArray(String[]::new);
    return start(lines).withTls(port);
  }

  /** Starts a sentinel with further lines in its configuration file. */
  static RedisServer sentinel(String... extraConfigLines) {
    return local(RedisSource.sentinel(List.of(extraConfigLines)));
  }

  private static RedisServer local(RedisHost host) {
    return new RedisServer(host, ANYONE);
  }

  private static String passwordIn(String... lines) {
    return Arrays.stream(lines)
        .filter(line -> line.startsWith("requirepass "))
        .map(line -> line.substring("requirepass ".length()).trim())
        .findFirst()
        .orElse("");
  }

  /** Starts again on the same port, with what {@link #save} wrote, if anything. */
  public void startAgain() {
    host.start();
  }

  /** Ends it in good order; nothing is saved. */
  public void stop() {
    host.stop();
  }

  /** Ends it at once (SIGKILL). */
  public void kill() {
    host.kill();
  }

  /** Stops and starts it empty, on the same port. */
  public void restart() {
    host.stop();
    host.forgetData();
    host.start();
  }

  /** Stops and starts it with its data, on the same port. */
  public void restartKeepingData() {
    save();
    host.stop();
    host.start();
  }

  /** Writes the data to its directory, for the next start. */
  public void save() {
    try (var side = side()) {
      side.command("SAVE");
    }
  }

  /** Freezes it (SIGSTOP): connections stay, the kernel even accepts new ones, nobody answers. */
  public void pause() {
    host.pause();
  }

  public void resume() {
    host.resume();
  }

  public String hostName() {
    return host.hostName();
  }

  public int port() {
    return host.port();
  }

  /** Its address, with the password of a {@code requirepass} line. */
  public String uri() {
    return "redis://" + login + hostName() + ":" + port() + host.path();
  }

  public String uri(String user, String password, int database) {
    String other = encoded(user) + ":" + encoded(password) + "@";
    return "redis://" + other + hostName() + ":" + port() + "/" + database;
  }

  /** The port of {@link #startTls} that speaks TLS only. */
  public int tlsPort() {
    return tlsPort;
  }

  /** A side connection with the rights of {@link #uri()}. */
  public RedisSide side() {
    return RedisSide.open(URI.create(uri()));
  }

  /** The Redis version; Valkey gives the Redis version it is compatible with. */
  public String version() {
    try (var side = side()) {
      return side.info("server").get("redis_version");
    }
  }

  public int majorVersion() {
    return versionPart(0);
  }

  public boolean atLeast(int major, int minor) {
    int own = versionPart(0);
    return own > major || own == major && versionPart(1) >= minor;
  }

  private int versionPart(int index) {
    return Integer.parseInt(version().split("\\.")[index]);
  }

  /** Ends it and removes its files. */
  @Override
  public void close() {
    if (isShared()) {
      throw new IllegalStateException("the shared server ends with the JVM");
    }
    host.close();
  }

  private boolean isShared() {
    synchronized (RedisServer.class) {
      return this == shared;
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
