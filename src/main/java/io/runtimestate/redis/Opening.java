package io.runtimestate.redis;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisTopology;
import io.runtimestate.config.RedisUrl;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.AsyncResult;
import io.vertx.core.Closeable;
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
  private final ReleaseChannel channel;
  private final Connector connector;
  private final Loop loop;
  private final Backoff backoff = new Backoff();
  private final Promise<StateBackend> opened;
  private final Promise<Void> ended = Promise.promise();
  private Runnable cancelTimer;
  private Runnable cancelRetry = () -> {};
  private RuntimeStateException lastFailure;
  private Servers servers;
  private boolean over; // whatever comes now comes too late

  /**
   * @param options valid, and nobody else's
   */
  Opening(ContextInternal opener, RuntimeStateOptions options) {
    this.opener = opener;
    this.options = options;
    this.redis = options.getRedis();
    this.loop = Loop.of(opener);
    Keyspace keys = keyspace();
    this.channel = new ReleaseChannel(loop, keys);
    this.families = families(keys);
    this.connector = Connector.of(opener.owner(), redis, scripts());
    this.opened = opener.promise();
  }

  private Keyspace keyspace() {
    boolean oneSlot = options.isEnforceSlots() || redis.getTopology() == RedisTopology.CLUSTER;
    return new Keyspace(options.effectiveKeyPrefix().text(), oneSlot);
  }

  private List<Family> families(Keyspace keys) {
    return List.of(
        new KvCommands(keys),
        new KeyCommands(keys),
        new SetCommands(keys),
        new ScoreCommands(keys),
        new RateCommands(keys),
        new UsageCommands(keys),
        new QueueCommands(keys, streamCounts),
        new PendingCommands(keys, streamCounts),
        new LockCommands(keys, channel),
        new SemaphoreCommands(keys, channel));
  }

  private List<Script> scripts() {
    return families.stream().flatMap(family -> family.scripts().stream()).distinct().toList();
  }

  /** Ends by itself, with the context's deployment, or with its Vertx, whichever comes first. */
  Future<StateBackend> run() {
    Closeable hook = done -> abandon().onComplete(done);
    boolean isOpen = opener.closeFuture().add(hook);
    ended.future().onComplete(over -> opener.closeFuture().remove(hook));
    loop.run(
        () -> {
          cancelTimer = loop.later(timeoutMillis(), this::outOfTime);
          attempt();
        });
    if (!isOpen) {
      abandon();
    }
    return opened.future();
  }

  /** Whoever asked is at its end, and its event loops may end as soon as this has. */
  private Future<Void> abandon() {
    loop.run(
        () -> {
          lastFailure = new RuntimeStateException(FailureCode.CLOSED, "open: closed", false, null);
          fail();
        });
    return ended.future();
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
        .compose(this::check)
        .compose(version -> complete(version, listeners))
        .onComplete(this::succeed, this::failed);
  }

  private Future<Optional<String>> check(Link link) {
    return new ServerCheck(link, families)
        .run()
        .compose(version -> channel.probe(link).map(probed -> version));
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
    channel.connectsBy(servers.forNotices());
    long closeMillis = options.getCloseTimeout().toMillis();
    return new RedisBackend(
        opener,
        description,
        closeMillis,
        new Commands(all),
        servers,
        streamCounts,
        channel,
        listeners);
  }

  private void succeed(RedisBackend backend) {
    if (over) {
      backend.close();
    } else {
      over = true;
      cancelTimer.run();
      opened.complete(backend);
      ended.complete();
    }
  }

  private void failed(Throwable reason) {
    if (!over) {
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
    if (!over) {
      over = true;
      cancelTimer.run();
      cancelRetry.run();
      servers.close().onComplete(this::leftNothing);
    }
  }

  private void leftNothing(AsyncResult<Void> closed) {
    opened.fail(lastFailure);
    ended.complete();
  }

  private RedisUrl server() {
    return redis.parsedUrl().orElseThrow();
  }
}
