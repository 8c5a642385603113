package io.runtimestate.redis;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisTopology;
import io.runtimestate.config.RedisUrl;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Opens a backend: connects, looks at the server, takes the time. It ends within its time whatever
 * the server does, and a failed one leaves nothing behind. Only if a time to open is given are
 * failures that may pass tried again.
 */
final class Opening {
  private final ContextInternal opener;
  private final RuntimeStateOptions options;
  private final RedisOptions redis;
  private final List<Family> families;
  private final StreamCounts streamCounts = new StreamCounts();
  private final Connector connector;
  private final Loop loop;
  private final Backoff backoff = new Backoff();
  private final Promise<StateBackend> opened;
  private Runnable cancelTimer;
  private Runnable cancelRetry = () -> {};
  private RuntimeStateException lastFailure;
  private Servers servers;

  /**
   * @param options valid, and nobody else's
   */
  Opening(ContextInternal opener, RuntimeStateOptions options) {
    this.opener = opener;
    this.options = options;
    this.redis = options.getRedis();
    this.families = families();
    this.connector = Connector.of(opener.owner(), redis, scripts());
    this.loop = Loop.of(opener);
    this.opened = opener.promise();
  }

  private List<Family> families() {
    boolean oneSlot = options.isEnforceSlots() || redis.getTopology() == RedisTopology.CLUSTER;
    Keyspace keys = new Keyspace(options.effectiveKeyPrefix().text(), oneSlot);
    return List.of(
        new KvCommands(keys),
        new KeyCommands(keys),
        new SetCommands(keys),
        new ScoreCommands(keys),
        new RateCommands(keys),
        new UsageCommands(keys),
        new QueueCommands(keys, streamCounts),
        new PendingCommands(keys, streamCounts),
        new LockCommands(keys),
        new SemaphoreCommands(keys));
  }

  private List<Script> scripts() {
    return families.stream().flatMap(family -> family.scripts().stream()).distinct().toList();
  }

  Future<StateBackend> run() {
    loop.run(
        () -> {
          cancelTimer = loop.later(timeoutMillis(), this::outOfTime);
          attempt();
        });
    return opened.future();
  }

  /** One attempt at least, however short. */
  private long timeoutMillis() {
    Duration given =
        Optional.ofNullable(redis.getOpenTimeout()).orElse(options.getCommandTimeout());
    return given == null ? Connector.ATTEMPT_MILLIS : given.toMillis();
  }

  private void attempt() {
    ConnectionListeners listeners = new ConnectionListeners();
    servers = servers(new LaneKinds(listeners));
    servers
        .open(attemptMillis())
        .compose(link -> new ServerCheck(link, families).run())
        .compose(version -> complete(version, listeners))
        .onComplete(this::succeed, this::failed);
  }

  private Servers servers(LaneKinds kinds) {
    return redis.getTopology() == RedisTopology.CLUSTER
        ? new ClusterServers(loop, connector, redis.effectiveEndpoints(), this::lanes, kinds)
        : new OneServer(connector, this::lanes, kinds);
  }

  private Lanes lanes(Connector server, Servers all) {
    return new Lanes(opener, server, redis, options.getMaxBlockedReads(), all);
  }

  private long attemptMillis() {
    return redis.getOpenTimeout() == null ? timeoutMillis() : Connector.ATTEMPT_MILLIS;
  }

  private Future<RedisBackend> complete(Optional<String> version, ConnectionListeners listeners) {
    RedisBackend backend = backend(description(version), listeners);
    return servers
        .openOthers(attemptMillis())
        .compose(connected -> backend.start())
        .map(started -> backend);
  }

  private BackendDescription description(Optional<String> version) {
    return new BackendDescription(
        BackendKind.REDIS,
        Optional.of(redis.getTopology().toString()),
        version,
        options.effectiveKeyPrefix().text(),
        options.getCommandTimeout() == null
            ? StateBackend.NO_TIMEOUT
            : options.getCommandTimeout().toMillis());
  }

  private RedisBackend backend(BackendDescription description, ConnectionListeners listeners) {
    List<Family> all = new ArrayList<>(families);
    all.add(new SystemCommands(description, servers));
    long closeMillis = options.getCloseTimeout().toMillis();
    return new RedisBackend(
        opener, description, closeMillis, new Commands(all), servers, streamCounts, listeners);
  }

  private void succeed(RedisBackend backend) {
    if (opened.tryComplete(backend)) {
      cancelTimer.run();
      backend.closeWith(opener);
    } else {
      backend.close();
    }
  }

  private void failed(Throwable reason) {
    if (!opened.future().isComplete()) {
      lastFailure = ConnectErrors.of(reason, server(), timeoutMillis());
      if (redis.getOpenTimeout() != null && lastFailure.isRetryable()) {
        servers.close();
        cancelRetry = loop.later(backoff.nextMillis(), this::attempt);
      } else {
        fail();
      }
    }
  }

  private void outOfTime() {
    if (lastFailure == null) {
      lastFailure = ConnectErrors.of(new TimeoutException(), server(), timeoutMillis());
    }
    fail();
  }

  private void fail() {
    cancelTimer.run();
    cancelRetry.run();
    RuntimeStateException failure = lastFailure;
    servers.close().onComplete(closed -> opened.tryFail(failure));
  }

  private RedisUrl server() {
    return redis.parsedUrl().orElseThrow();
  }
}
