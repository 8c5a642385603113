package io.runtimestate;

import io.runtimestate.config.KeyPrefix;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Health;
import io.runtimestate.data.RedisDiagnostics;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.Statistics;
import io.runtimestate.eventbus.RemoteBackend;
import io.runtimestate.eventbus.StateService;
import io.runtimestate.lease.Leases;
import io.runtimestate.memory.MemoryBackend;
import io.runtimestate.observe.MetricsBinding;
import io.runtimestate.observe.StatisticsBackend;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.redis.RedisBackend;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.spi.TimeSource;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/**
 * The coordination state of an application: values, keys and everything built on them.
 *
 * <p>Any thread may call; the calling thread is never blocked. Every call returns a future that
 * completes exactly once, on the caller's context. Failures are {@link RuntimeStateException}s with
 * a stable code; a refusal (a value already there, a limit reached) is a result, not a failure.
 *
 * <p>Opened on a verticle's context, a runtime belongs to that verticle and closes when it is
 * undeployed; one that is shared between verticles must be opened outside them. Every runtime
 * closes with its {@code Vertx}.
 */
public final class RuntimeState {
  private final Vertx vertx;
  private final Gate gate;
  private final Door door;
  private final KeyPrefix prefix;
  private final KeyValues kv;
  private final Keys keys;
  private final Sets sets;
  private final Scores scores;
  private final RateLimits rates;
  private final UsageLimits usage;
  private final Queues queues;
  private final Locks locks;
  private final Semaphores semaphores;
  private final Leases leases;
  private final Closing closing;

  private RuntimeState(Vertx vertx, StateBackend backend, Leases leases) {
    this.vertx = vertx;
    this.gate = new Gate(vertx, backend);
    this.door = new Door(vertx, gate);
    this.prefix = new KeyPrefix(backend.description().keyPrefix());
    this.kv = new KeyValues(door, leases);
    this.keys = new Keys(door);
    this.sets = new Sets(door);
    this.scores = new Scores(door);
    this.rates = new RateLimits(door);
    this.usage = new UsageLimits(door);
    Workers workers = new Workers(vertx);
    this.queues = new Queues(door, backend, workers);
    this.locks = new Locks(door, leases);
    this.semaphores = new Semaphores(door, leases);
    this.leases = leases;
    this.closing = new Closing(vertx, gate);
    closing.first(workers::close);
    closing.first(leases::close);
  }

  /**
   * Opens the state that the options describe.
   *
   * @return the runtime; fails {@code INVALID_CONFIGURATION} if the options break a rule or the
   *     server refuses the credentials, {@code UNAVAILABLE} or {@code TIMED_OUT} if it cannot be
   *     reached. Nothing is left behind then.
   */
  public static Future<RuntimeState> open(Vertx vertx, RuntimeStateOptions options) {
    return open(vertx, options, TimeSource.SYSTEM);
  }

  /** The same with a clock of the caller's own, which only the memory backend looks at. */
  public static Future<RuntimeState> open(
      Vertx vertx, RuntimeStateOptions options, TimeSource source) {
    try {
      RuntimeStateOptions checked = new RuntimeStateOptions(options).validate();
      return backend(vertx, checked, source)
          .map(backend -> counted(vertx, backend, checked.effectiveBackend() != BackendKind.MEMORY))
          .compose(runtime -> runtime.ready(checked));
    } catch (RuntimeException failure) {
      return Callers.failed(vertx, Door.known(failure));
    }
  }

  /**
   * Connects to a runtime whose addresses are served on the event bus, in this or another node.
   *
   * @param base the first part of its addresses, such as {@code runtime-state}
   * @return a second handle on that state; closing it closes nothing on the other side. Fails
   *     {@code UNAVAILABLE} if nobody serves the addresses.
   */
  public static Future<RuntimeState> connect(Vertx vertx, String base) {
    return RemoteBackend.connect(vertx, base)
        .map(backend -> uncounted(vertx, backend).tiedToCaller());
  }

  /** The same API over a ready backend of the caller's own; closing the runtime closes it. */
  public static RuntimeState over(Vertx vertx, StateBackend backend) {
    return counted(vertx, backend, true).tiedToCaller();
  }

  /** The calls of a remote client are counted where they are served. */
  private static RuntimeState uncounted(Vertx vertx, StateBackend backend) {
    Leases leases = new Leases(vertx, backend, true);
    return new RuntimeState(vertx, leases.door(), leases);
  }

  private static RuntimeState counted(Vertx vertx, StateBackend backend, boolean shared) {
    Leases leases = new Leases(vertx, backend, shared);
    StatisticsBackend statistics = new StatisticsBackend(leases.door());
    RuntimeState runtime = new RuntimeState(vertx, statistics, leases.through(statistics));
    runtime.closing.measure(MetricsBinding.bind(vertx, statistics));
    return runtime;
  }

  private static Future<StateBackend> backend(
      Vertx vertx, RuntimeStateOptions options, TimeSource source) {
    return options.effectiveBackend() == BackendKind.MEMORY
        ? MemoryBackend.open(vertx, options, source)
        : RedisBackend.open(vertx, options);
  }

  private Future<RuntimeState> ready(RuntimeStateOptions options) {
    tiedToCaller();
    return closing.metricsBound().compose(bound -> served(options));
  }

  private Future<RuntimeState> served(RuntimeStateOptions options) {
    if (!options.getEventBus().isExpose()) {
      return Callers.succeeded(vertx, this);
    }
    return StateService.expose(
            vertx, gate, options.getEventBus().getBase(), options.effectiveBusScope())
        .map(closing::serve)
        .map(this)
        .recover(failure -> close().transform(closed -> Callers.failed(vertx, failure)));
  }

  private RuntimeState tiedToCaller() {
    closing.tieTo(Callers.context(vertx));
    return this;
  }

  /** Values. */
  public KeyValues kv() {
    return kv;
  }

  /** Keys of any type. */
  public Keys keys() {
    return keys;
  }

  /** Sets. */
  public Sets sets() {
    return sets;
  }

  /** Scores. */
  public Scores scores() {
    return scores;
  }

  /** Rate limits. */
  public RateLimits rates() {
    return rates;
  }

  /** Usage limits. */
  public UsageLimits usage() {
    return usage;
  }

  /** Work queues. */
  public Queues queues() {
    return queues;
  }

  /** Locks. */
  public Locks locks() {
    return locks;
  }

  /** Semaphores. */
  public Semaphores semaphores() {
    return semaphores;
  }

  /** Executes a ready operation within the configured command timeout. */
  public <R> Future<R> execute(Operation<R> operation) {
    return door.call(() -> given(operation));
  }

  /**
   * Executes a ready operation within a deadline of its own, which memory ignores.
   *
   * @param timeout above zero; null for none
   */
  public <R> Future<R> execute(Operation<R> operation, Duration timeout) {
    try {
      return gate.execute(given(operation), Timeouts.millis(timeout));
    } catch (RuntimeException failure) {
      return Callers.failed(vertx, Door.known(failure));
    }
  }

  private static <R> Operation<R> given(Operation<R> operation) {
    if (operation == null) {
      throw new RuntimeStateException(FailureCode.INVALID_INPUT, "operation is required");
    }
    return operation;
  }

  /** Where the state lives. */
  public BackendKind backendKind() {
    return gate.description().kind();
  }

  /** Whether the state lives in a process of this application. */
  public boolean isMemory() {
    return backendKind() == BackendKind.MEMORY;
  }

  /** Whether the state lives in Redis. */
  public boolean isRedis() {
    return backendKind() == BackendKind.REDIS;
  }

  /** A local estimate of backend unix time in milliseconds, without I/O; exact for memory. */
  public long clock() {
    return gate.unixMillis();
  }

  /** Backend unix time in milliseconds, as the backend tells it. */
  public Future<Long> time() {
    return door.call(SystemOperation.Time::new);
  }

  /** Succeeds if the backend answers. */
  public Future<Void> ping() {
    return time().mapEmpty();
  }

  /** Whether the backend answers; a backend that does not is a result, not a failure. */
  public Future<Health> health() {
    return door.call(SystemOperation.Health::new);
  }

  /** What was done since open. */
  public Future<Statistics> statistics() {
    return door.call(SystemOperation.Statistics::new);
  }

  /** Figures of the Redis server and of the connections to it; empty for memory. */
  public Future<Optional<RedisDiagnostics>> diagnostics() {
    return door.call(SystemOperation.Diagnostics::new);
  }

  /** Hears kinds of connections going down and up. */
  public void connectionHandler(Handler<ConnectionEvent> handler) {
    gate.connectionHandler(handler);
  }

  /** The physical name of a key, for diagnostics only; no operation accepts one. */
  public String namespaceKey(String key) {
    return prefix.namespaceKey(key);
  }

  /** Undoes {@link #namespaceKey}; a text that does not begin so is returned unchanged. */
  public String stripNamespace(String physical) {
    return prefix.stripNamespace(physical);
  }

  /**
   * Closes everything: new calls fail {@code CLOSED}, waiting ones too, addresses, connections and
   * timers go. Idempotent; never fails.
   */
  public Future<Void> close() {
    return closing.close();
  }
}
