package io.runtimestate.config;

import io.runtimestate.data.BackendKind;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * Everything a runtime is opened with. Mutable and unchecked until {@link #validate()}, which
 * opening a runtime calls on a copy of its own.
 *
 * <p>In JSON the sections are nested objects, durations are integer milliseconds and enums their
 * lower-case words. {@link #toJson()} and {@code toString} are for people and hide secrets; {@link
 * #toJsonWithSecrets()} is complete and can be read back.
 */
public final class RuntimeStateOptions {
  /** Redis when it has a URL, else memory. */
  public static final BackendMode DEFAULT_BACKEND = BackendMode.AUTO;

  /** The prefix {@code rs}. */
  public static final String DEFAULT_KEY_PREFIX = KeyPrefix.DEFAULT;

  /** 2 seconds. */
  public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(2);

  /** 5 seconds. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** Only a cluster asks for common slots. */
  public static final boolean DEFAULT_ENFORCE_SLOTS = false;

  /** 10 000 reads. */
  public static final int DEFAULT_MAX_BLOCKED_READS = 10_000;

  static final Section<RuntimeStateOptions> SECTION =
      new Section<>(
          "",
          Option.of(
              "backend",
              Kind.words((name, json) -> BackendMode.parse(Kind.text(name, json))),
              RuntimeStateOptions::getBackend,
              RuntimeStateOptions::setBackend),
          Option.of(
              "keyPrefix",
              Kind.PREFIX,
              RuntimeStateOptions::getKeyPrefix,
              RuntimeStateOptions::setKeyPrefix),
          Option.of(
                  "commandTimeout",
                  Kind.DURATION,
                  RuntimeStateOptions::getCommandTimeout,
                  RuntimeStateOptions::setCommandTimeout)
              .withNull(),
          Option.of(
              "closeTimeout",
              Kind.DURATION,
              RuntimeStateOptions::getCloseTimeout,
              RuntimeStateOptions::setCloseTimeout),
          Option.of(
              "enforceSlots",
              Kind.FLAG,
              RuntimeStateOptions::isEnforceSlots,
              RuntimeStateOptions::setEnforceSlots),
          Option.of(
              "maxBlockedReads",
              Kind.INT,
              RuntimeStateOptions::getMaxBlockedReads,
              RuntimeStateOptions::setMaxBlockedReads),
          Option.of(
              "memory",
              Kind.section(MemoryOptions.SECTION, MemoryOptions::new, MemoryOptions::new),
              RuntimeStateOptions::getMemory,
              RuntimeStateOptions::setMemory),
          Option.of(
              "redis",
              Kind.section(RedisOptions.SECTION, RedisOptions::new, RedisOptions::new),
              RuntimeStateOptions::getRedis,
              RuntimeStateOptions::setRedis),
          Option.of(
              "eventBus",
              Kind.section(EventBusOptions.SECTION, EventBusOptions::new, EventBusOptions::new),
              RuntimeStateOptions::getEventBus,
              RuntimeStateOptions::setEventBus));

  private BackendMode backend = DEFAULT_BACKEND;
  private String keyPrefix = DEFAULT_KEY_PREFIX;
  private Duration commandTimeout = DEFAULT_COMMAND_TIMEOUT;
  private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
  private boolean enforceSlots = DEFAULT_ENFORCE_SLOTS;
  private int maxBlockedReads = DEFAULT_MAX_BLOCKED_READS;
  private MemoryOptions memory = new MemoryOptions();
  private RedisOptions redis = new RedisOptions();
  private EventBusOptions eventBus = new EventBusOptions();

  /** All defaults. */
  public RuntimeStateOptions() {}

  /** A copy that shares nothing with the other. */
  public RuntimeStateOptions(RuntimeStateOptions other) {
    SECTION.copy(other, this);
  }

  /**
   * Reads JSON; what it does not name keeps its default, JSON null included (except {@code
   * commandTimeout}, where null means none).
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION naming an unknown name or an option of the
   *     wrong JSON type
   */
  public RuntimeStateOptions(JsonObject json) {
    SECTION.read(json, this);
  }

  /** Which backend to open; see {@link #effectiveBackend()}. */
  public BackendMode getBackend() {
    return backend;
  }

  /** Sets {@link #getBackend()}; null means the default. */
  public RuntimeStateOptions setBackend(BackendMode backend) {
    this.backend = Objects.requireNonNullElse(backend, DEFAULT_BACKEND);
    return this;
  }

  /** The prefix of all keys as given; see {@link #effectiveKeyPrefix()}. */
  public String getKeyPrefix() {
    return keyPrefix;
  }

  /** Sets {@link #getKeyPrefix()}; null means the default. */
  public RuntimeStateOptions setKeyPrefix(String keyPrefix) {
    this.keyPrefix = Objects.requireNonNullElse(keyPrefix, DEFAULT_KEY_PREFIX);
    return this;
  }

  /** The timeout of calls that bring none, above 0; null for no timeout at all. */
  public Duration getCommandTimeout() {
    return commandTimeout;
  }

  /** Sets {@link #getCommandTimeout()}, rounded up to whole milliseconds; null means none. */
  public RuntimeStateOptions setCommandTimeout(Duration commandTimeout) {
    this.commandTimeout = Millis.roundUp(commandTimeout);
    return this;
  }

  /** How long closing waits for operations in flight, 0 or above. */
  public Duration getCloseTimeout() {
    return closeTimeout;
  }

  /** Sets {@link #getCloseTimeout()}; null means the default. */
  public RuntimeStateOptions setCloseTimeout(Duration closeTimeout) {
    this.closeTimeout =
        Millis.roundUp(Objects.requireNonNullElse(closeTimeout, DEFAULT_CLOSE_TIMEOUT));
    return this;
  }

  /** Whether keys of one operation must share a hash slot on every backend, as in a cluster. */
  public boolean isEnforceSlots() {
    return enforceSlots;
  }

  /** Sets {@link #isEnforceSlots()}. */
  public RuntimeStateOptions setEnforceSlots(boolean enforceSlots) {
    this.enforceSlots = enforceSlots;
    return this;
  }

  /** How many reads of one runtime may block or wait to, above 0; beyond, OVERLOADED. */
  public int getMaxBlockedReads() {
    return maxBlockedReads;
  }

  /** Sets {@link #getMaxBlockedReads()}. */
  public RuntimeStateOptions setMaxBlockedReads(int maxBlockedReads) {
    this.maxBlockedReads = maxBlockedReads;
    return this;
  }

  /** Limits of the memory backend; never null. */
  public MemoryOptions getMemory() {
    return memory;
  }

  /** Sets {@link #getMemory()}; null means all defaults. */
  public RuntimeStateOptions setMemory(MemoryOptions memory) {
    this.memory = memory == null ? new MemoryOptions() : memory;
    return this;
  }

  /** The Redis server; never null. */
  public RedisOptions getRedis() {
    return redis;
  }

  /** Sets {@link #getRedis()}; null means all defaults. */
  public RuntimeStateOptions setRedis(RedisOptions redis) {
    this.redis = redis == null ? new RedisOptions() : redis;
    return this;
  }

  /** The event-bus addresses; never null. */
  public EventBusOptions getEventBus() {
    return eventBus;
  }

  /** Sets {@link #getEventBus()}; null means all defaults. */
  public RuntimeStateOptions setEventBus(EventBusOptions eventBus) {
    this.eventBus = eventBus == null ? new EventBusOptions() : eventBus;
    return this;
  }

  /** {@link #fromEnvironment(Map)} of the process. */
  public static RuntimeStateOptions fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  /**
   * The defaults, changed by what the variables say. Of each option the first variable that is not
   * blank wins; values are trimmed. With {@code VERTX_} or without it: {@code
   * [VERTX_]RUNTIME_STATE_REDIS_URL} (last {@code REDIS_URL}), {@code
   * [VERTX_]RUNTIME_STATE_KEY_PREFIX}, {@code [VERTX_]RUNTIME_STATE_BACKEND}, {@code
   * [VERTX_]RUNTIME_STATE_COMMAND_TIMEOUT_MS}.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION for an unknown backend or a timeout that is
   *     not an integer of at least 1; all else is left to {@link #validate()}
   */
  public static RuntimeStateOptions fromEnvironment(Map<String, String> variables) {
    RuntimeStateOptions options = new RuntimeStateOptions();
    new Environment(variables).read(options);
    return options;
  }

  /** The backend that will be opened: auto is redis when {@code redis.url} is set, else memory. */
  public BackendKind effectiveBackend() {
    boolean auto = backend == BackendMode.AUTO;
    boolean redisChosen = auto ? redis.getUrl() != null : backend == BackendMode.REDIS;
    return redisChosen ? BackendKind.REDIS : BackendKind.MEMORY;
  }

  /**
   * The normalised prefix.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION when it breaks a rule of {@link KeyPrefix}
   */
  public KeyPrefix effectiveKeyPrefix() {
    return new KeyPrefix(keyPrefix);
  }

  /** Who can call the addresses: the option, else local with memory and cluster with Redis. */
  public BusScope effectiveBusScope() {
    boolean memoryChosen = effectiveBackend() == BackendKind.MEMORY;
    BusScope usual = memoryChosen ? BusScope.LOCAL : BusScope.CLUSTER;
    return Objects.requireNonNullElse(eventBus.getScope(), usual);
  }

  /**
   * Checks everything, the Redis section also when memory is chosen, and changes nothing.
   *
   * @return this
   * @throws RuntimeStateException INVALID_CONFIGURATION naming the first broken option: a missing
   *     URL, a malformed one, then in the order of the getters
   */
  public RuntimeStateOptions validate() {
    Rules.urlForRedis(effectiveBackend() == BackendKind.MEMORY || redis.getUrl() != null);
    redis.checkUrl();
    effectiveKeyPrefix();
    Rules.positive("commandTimeout", commandTimeout);
    Rules.notNegative("closeTimeout", closeTimeout);
    Rules.positive("maxBlockedReads", maxBlockedReads);
    memory.check();
    redis.check();
    eventBus.check();
    return this;
  }

  /** The options as JSON for people: no credentials, key material or prefix, URLs reduced. */
  public JsonObject toJson() {
    return SECTION.write(this, false);
  }

  /**
   * The complete options, secrets in clear, for the JSON constructor.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION when the TLS settings hold keys or trust
   *     that only exist as Java objects
   */
  public JsonObject toJsonWithSecrets() {
    return SECTION.write(this, true);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RuntimeStateOptions that
        && SECTION.identity(this).equals(SECTION.identity(that));
  }

  @Override
  public int hashCode() {
    return SECTION.identity(this).hashCode();
  }

  /** The class name and {@link #toJson()}: no secrets. */
  @Override
  public String toString() {
    return "RuntimeStateOptions" + toJson().encode();
  }
}
