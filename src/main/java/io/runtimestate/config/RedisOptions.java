package io.runtimestate.config;

import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where the Redis or Valkey server is and how it is used. The section is checked even when the
 * memory backend is chosen.
 *
 * <p>{@code username}, {@code password} and {@code database} are used byte for byte and win over
 * the parts of the URL, which are percent-decoded; the {@code effective} methods give the result.
 */
public final class RedisOptions {
  /** One server. */
  public static final RedisTopology DEFAULT_TOPOLOGY = RedisTopology.STANDALONE;

  /** RESP3 where possible. */
  public static final RedisProtocol DEFAULT_PROTOCOL = RedisProtocol.AUTO;

  /** One per calling event loop, at most 16. */
  public static final int DEFAULT_FAST_LANES = 16;

  /** 10 000 commands. */
  public static final int DEFAULT_MAX_PENDING_COMMANDS = 10_000;

  /** 256 MiB. */
  public static final long DEFAULT_MAX_PENDING_BYTES = 256L << 20;

  /** Calls wait within their deadline. */
  public static final boolean DEFAULT_FAIL_FAST = false;

  /** The most lanes for blocked reads there can be. */
  public static final int MAX_BLOCKING_LANES = 64;

  /** What the deadline of a blocked read leaves for the way there and back. */
  public static final Duration BLOCKED_READ_GRACE = Duration.ofSeconds(1);

  static final Section<RedisOptions> SECTION =
      new Section<>(
          "redis.",
          Option.of("url", Kind.URL, RedisOptions::getUrl, RedisOptions::setUrl),
          Option.of(
              "topology",
              Kind.words(RedisTopology.class),
              RedisOptions::getTopology,
              RedisOptions::setTopology),
          Option.of(
              "masterName", Kind.TEXT, RedisOptions::getMasterName, RedisOptions::setMasterName),
          Option.of("endpoints", Kind.URLS, RedisOptions::getEndpoints, RedisOptions::setEndpoints),
          Option.of("username", Kind.SECRET, RedisOptions::getUsername, RedisOptions::setUsername),
          Option.of("password", Kind.SECRET, RedisOptions::getPassword, RedisOptions::setPassword),
          Option.of("database", Kind.INT, RedisOptions::getDatabase, RedisOptions::setDatabase),
          Option.of("tls", Kind.TLS, RedisOptions::getTls, RedisOptions::setTls),
          Option.of(
              "protocol",
              Kind.words(RedisProtocol.class),
              RedisOptions::getProtocol,
              RedisOptions::setProtocol),
          Option.of("fastLanes", Kind.INT, RedisOptions::getFastLanes, RedisOptions::setFastLanes),
          Option.of(
              "blockingLanes",
              Kind.INT,
              RedisOptions::getBlockingLanes,
              RedisOptions::setBlockingLanes),
          Option.of(
              "maxPendingCommands",
              Kind.INT,
              RedisOptions::getMaxPendingCommands,
              RedisOptions::setMaxPendingCommands),
          Option.of(
              "maxPendingBytes",
              Kind.LONG,
              RedisOptions::getMaxPendingBytes,
              RedisOptions::setMaxPendingBytes),
          Option.of(
              "openTimeout",
              Kind.DURATION,
              RedisOptions::getOpenTimeout,
              RedisOptions::setOpenTimeout),
          Option.of("failFast", Kind.FLAG, RedisOptions::isFailFast, RedisOptions::setFailFast));

  private String url;
  private RedisTopology topology = DEFAULT_TOPOLOGY;
  private String masterName;
  private List<String> endpoints = List.of();
  private String username;
  private String password;
  private Integer database;
  private ClientSSLOptions tls;
  private RedisProtocol protocol = DEFAULT_PROTOCOL;
  private int fastLanes = DEFAULT_FAST_LANES;
  private Integer blockingLanes;
  private int maxPendingCommands = DEFAULT_MAX_PENDING_COMMANDS;
  private long maxPendingBytes = DEFAULT_MAX_PENDING_BYTES;
  private Duration openTimeout;
  private boolean failFast = DEFAULT_FAIL_FAST;
  private Supplier<? extends CompletionStage<RedisCredentials>> credentials;

  /** All defaults. */
  public RedisOptions() {}

  /** A copy that shares nothing with the other. */
  public RedisOptions(RedisOptions other) {
    SECTION.copy(other, this);
    credentials = other.credentials;
  }

  /**
   * Reads JSON; what it does not name keeps its default, JSON null included.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION naming an unknown name or an option of the
   *     wrong JSON type
   */
  public RedisOptions(JsonObject json) {
    SECTION.read(json, this);
  }

  /**
   * The server, see {@link RedisUrl}; null (the default) for none. Required by the redis backend.
   */
  public String getUrl() {
    return url;
  }

  /** Sets {@link #getUrl()}. */
  public RedisOptions setUrl(String url) {
    this.url = url;
    return this;
  }

  /** What {@link #getUrl()} and {@link #getEndpoints()} are nodes of. */
  public RedisTopology getTopology() {
    return topology;
  }

  /** Sets {@link #getTopology()}; null means the default. */
  public RedisOptions setTopology(RedisTopology topology) {
    this.topology = Objects.requireNonNullElse(topology, DEFAULT_TOPOLOGY);
    return this;
  }

  /**
   * The name the sentinels know the master by: required for topology sentinel and only allowed
   * there.
   */
  public String getMasterName() {
    return masterName;
  }

  /** Sets {@link #getMasterName()}. */
  public RedisOptions setMasterName(String masterName) {
    this.masterName = masterName;
    return this;
  }

  /** URLs of further nodes, same rule as {@link #getUrl()}; immutable, empty by default. */
  public List<String> getEndpoints() {
    return endpoints;
  }

  /** Sets {@link #getEndpoints()}; the list is copied, null means none. */
  public RedisOptions setEndpoints(List<String> endpoints) {
    this.endpoints = endpoints == null ? List.of() : endpoints.stream().toList();
    return this;
  }

  /** The ACL user; null (the default) for the one of the URL. */
  public String getUsername() {
    return username;
  }

  /** Sets {@link #getUsername()}. */
  public RedisOptions setUsername(String username) {
    this.username = username;
    return this;
  }

  /** The password; null (the default) for the one of the URL. */
  public String getPassword() {
    return password;
  }

  /** Sets {@link #getPassword()}. */
  public RedisOptions setPassword(String password) {
    this.password = password;
    return this;
  }

  /** The database number, 0 or above; null (the default) for the one of the URL. */
  public Integer getDatabase() {
    return database;
  }

  /** Sets {@link #getDatabase()}. */
  public RedisOptions setDatabase(Integer database) {
    this.database = database;
    return this;
  }

  /** TLS settings for scheme {@code rediss}; null (the default) for those of the JVM. */
  public ClientSSLOptions getTls() {
    return tls;
  }

  /** Sets {@link #getTls()}. Rejected together with a scheme that is not {@code rediss}. */
  public RedisOptions setTls(ClientSSLOptions tls) {
    this.tls = tls;
    return this;
  }

  /** The protocol spoken with the server. */
  public RedisProtocol getProtocol() {
    return protocol;
  }

  /** Sets {@link #getProtocol()}; null means the default. */
  public RedisOptions setProtocol(RedisProtocol protocol) {
    this.protocol = Objects.requireNonNullElse(protocol, DEFAULT_PROTOCOL);
    return this;
  }

  /** Upper bound of held, pipelined connections, 1 to 64; one is made per calling event loop. */
  public int getFastLanes() {
    return fastLanes;
  }

  /** Sets {@link #getFastLanes()}. */
  public RedisOptions setFastLanes(int fastLanes) {
    this.fastLanes = fastLanes;
    return this;
  }

  /**
   * Requested connections for blocked reads, at least 1; null (the default) for as many as the
   * processors suggest. See {@link #effectiveBlockingLanes()}.
   */
  public Integer getBlockingLanes() {
    return blockingLanes;
  }

  /** Sets {@link #getBlockingLanes()}. */
  public RedisOptions setBlockingLanes(Integer blockingLanes) {
    this.blockingLanes = blockingLanes;
    return this;
  }

  /** Commands without an answer per lane, above 0; beyond, a call fails OVERLOADED. */
  public int getMaxPendingCommands() {
    return maxPendingCommands;
  }

  /** Sets {@link #getMaxPendingCommands()}. */
  public RedisOptions setMaxPendingCommands(int maxPendingCommands) {
    this.maxPendingCommands = maxPendingCommands;
    return this;
  }

  /** Bytes of such commands per lane, above 0; an idle lane takes one command of any size. */
  public long getMaxPendingBytes() {
    return maxPendingBytes;
  }

  /** Sets {@link #getMaxPendingBytes()}. */
  public RedisOptions setMaxPendingBytes(long maxPendingBytes) {
    this.maxPendingBytes = maxPendingBytes;
    return this;
  }

  /**
   * How long {@code open} keeps trying to connect, above 0; null (the default) for one attempt
   * within the command timeout.
   */
  public Duration getOpenTimeout() {
    return openTimeout;
  }

  /** Sets {@link #getOpenTimeout()}. */
  public RedisOptions setOpenTimeout(Duration openTimeout) {
    this.openTimeout = Millis.roundUp(openTimeout);
    return this;
  }

  /** Whether calls fail UNAVAILABLE at once while their lane is disconnected. */
  public boolean isFailFast() {
    return failFast;
  }

  /** Sets {@link #isFailFast()}. */
  public RedisOptions setFailFast(boolean failFast) {
    this.failFast = failFast;
    return this;
  }

  /** Asked for the credentials of every connection; null (the default) for the fixed ones. */
  public Supplier<? extends CompletionStage<RedisCredentials>> getCredentials() {
    return credentials;
  }

  /**
   * Sets {@link #getCredentials()}: whom to sign in as is asked anew for each connection, so that a
   * password can change while the runtime is open. It is called on an event loop, must not block,
   * and may answer on any thread; a failure or a late answer is a failed attempt to connect. It
   * wins over username and password, and has no JSON form.
   */
  public RedisOptions setCredentials(
      Supplier<? extends CompletionStage<RedisCredentials>> credentials) {
    this.credentials = credentials;
    return this;
  }

  /** Adds one URL to {@link #getEndpoints()}. */
  public RedisOptions addEndpoint(String endpoint) {
    return setEndpoints(Stream.concat(endpoints.stream(), Stream.of(endpoint)).toList());
  }

  /**
   * The parts of {@link #getUrl()} as written there; empty when there is none.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION when it is malformed
   */
  public Optional<RedisUrl> parsedUrl() {
    return Optional.ofNullable(url).map(RedisUrl::parse);
  }

  /** The user to authenticate as: the option, else the one of the URL. */
  public Optional<String> effectiveUsername() {
    return Optional.ofNullable(username).or(() -> parsedUrl().flatMap(RedisUrl::username));
  }

  /** The password to authenticate with: the option, else the one of the URL. */
  public Optional<String> effectivePassword() {
    return Optional.ofNullable(password).or(() -> parsedUrl().flatMap(RedisUrl::password));
  }

  /** The database to select: the option, else the one of the URL, else 0. */
  public int effectiveDatabase() {
    return database != null
        ? database
        : parsedUrl().map(RedisUrl::database).orElse(OptionalInt.empty()).orElse(0);
  }

  /**
   * All nodes, the one of {@link #getUrl()} first, without repetition. Each carries the credentials
   * and the database to use there: the options, else its own, else those of the first.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION when a URL is malformed
   */
  public List<RedisUrl> effectiveEndpoints() {
    Set<RedisUrl> nodes = new LinkedHashSet<>();
    parsedUrl().ifPresent(node -> nodes.add(withEffective(node)));
    parsedEndpoints().forEach(node -> nodes.add(withEffective(node)));
    return List.copyOf(nodes);
  }

  /**
   * The nodes as sentinels: each with the credentials of its own URL, else with those of the
   * options, since sentinels may have others than the servers they watch.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION when a URL is malformed
   */
  public List<RedisUrl> effectiveSentinels() {
    Set<RedisUrl> nodes = new LinkedHashSet<>();
    parsedUrl().ifPresent(node -> nodes.add(asSentinel(node)));
    parsedEndpoints().forEach(node -> nodes.add(asSentinel(node)));
    return List.copyOf(nodes);
  }

  private RedisUrl asSentinel(RedisUrl node) {
    boolean own = node.username().isPresent() || node.password().isPresent();
    return own ? node : withEffective(node);
  }

  /** How many reads may block at the same time, given the processors of this machine. */
  public int effectiveBlockingLanes() {
    return effectiveBlockingLanes(Runtime.getRuntime().availableProcessors());
  }

  /**
   * How many reads may block at the same time: the number requested, but at least as many as there
   * are processors (taken as 4 to 16) and at most {@value #MAX_BLOCKING_LANES}.
   */
  public int effectiveBlockingLanes(int processors) {
    int least = Math.min(16, Math.max(4, processors));
    int requested = blockingLanes == null ? least : blockingLanes;
    return Math.min(MAX_BLOCKING_LANES, Math.max(requested, least));
  }

  /**
   * The deadline of a blocked read: the timeout of the call, but at least the block and {@link
   * #BLOCKED_READ_GRACE}; null (none) when the call has no timeout.
   */
  public static Duration effectiveReadTimeout(Duration timeout, Duration block) {
    return timeout == null ? null : max(timeout, block.plus(BLOCKED_READ_GRACE));
  }

  /** The options as JSON for people: no credentials or key material, URLs reduced. */
  public JsonObject toJson() {
    return SECTION.write(this, false);
  }

  /**
   * The complete options, secrets in clear, for the JSON constructor.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION when the TLS settings hold keys or trust
   *     that only exist as Java objects, or credentials are asked for
   */
  public JsonObject toJsonWithSecrets() {
    Rules.require(credentials == null, "redis.credentials has no JSON form");
    return SECTION.write(this, true);
  }

  void checkUrl() {
    parsedUrl();
  }

  void check() {
    Rules.masterName(topology, masterName);
    List<RedisUrl> nodes = parsedEndpoints();
    checkSockets(nodes);
    Rules.notNegative("redis.database", database);
    checkTls(nodes);
    Rules.range("redis.fastLanes", fastLanes, 1, 64);
    Rules.positive("redis.blockingLanes", blockingLanes);
    Rules.positive("redis.maxPendingCommands", maxPendingCommands);
    Rules.positive("redis.maxPendingBytes", maxPendingBytes);
    Rules.positive("redis.openTimeout", openTimeout);
  }

  private void checkSockets(List<RedisUrl> nodes) {
    parsedUrl().ifPresent(node -> Rules.socketIsStandalone(topology, RedisUrl.OPTION, node));
    nodes.forEach(node -> Rules.socketIsStandalone(topology, "redis.endpoints", node));
  }

  private void checkTls(List<RedisUrl> nodes) {
    if (tls != null) {
      parsedUrl().ifPresent(node -> Rules.tlsNeedsSecureScheme(RedisUrl.OPTION, node));
      nodes.forEach(node -> Rules.tlsNeedsSecureScheme("redis.endpoints", node));
    }
  }

  private List<RedisUrl> parsedEndpoints() {
    return IntStream.range(0, endpoints.size())
        .mapToObj(i -> RedisUrl.parse("redis.endpoints[" + i + "]", endpoints.get(i)))
        .toList();
  }

  private RedisUrl withEffective(RedisUrl node) {
    return node.with(
        Optional.ofNullable(username).or(node::username).or(this::effectiveUsername),
        Optional.ofNullable(password).or(node::password).or(this::effectivePassword),
        database == null && node.database().isPresent()
            ? node.database()
            : OptionalInt.of(effectiveDatabase()));
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RedisOptions that
        && SECTION.identity(this).equals(SECTION.identity(that))
        && Objects.equals(credentials, that.credentials);
  }

  @Override
  public int hashCode() {
    return SECTION.identity(this).hashCode();
  }

  /** The class name and {@link #toJson()}: no secrets. */
  @Override
  public String toString() {
    return "RedisOptions" + toJson().encode();
  }
}
