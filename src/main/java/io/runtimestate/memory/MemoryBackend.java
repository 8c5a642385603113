package io.runtimestate.memory;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.spi.TimeSource;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The embedded backend. Timeouts are accepted and ignored: no call waits for anything outside. */
public final class MemoryBackend implements StateBackend {
  private final Vertx vertx;
  private final BackendDescription description;
  private final MemoryClock clock;
  private final Store store;
  private final Owner owner;
  private final BlockedReads blockedReads;
  private String deployment;
  private Future<Void> closing;

  private MemoryBackend(VertxInternal vertx, RuntimeStateOptions options, TimeSource source) {
    this.vertx = vertx;
    this.description =
        new BackendDescription(
            BackendKind.MEMORY,
            Optional.empty(),
            Optional.empty(),
            options.effectiveKeyPrefix().text(),
            StateBackend.timeoutMillis(options.getCommandTimeout()));
    this.clock = new MemoryClock(source);
    this.store = new Store(options.getMemory(), clock);
    this.owner =
        new Owner(
            vertx,
            vertx.getOrCreateContext().nettyEventLoop(),
            store,
            options.getMemory().getMaxPendingOperations());
    new KvHandlers(store).register(owner);
    new KeyHandlers(store).register(owner);
    new SetHandlers(store).register(owner);
    new ScoreHandlers(store).register(owner);
    new RateHandlers(store, options).register(owner);
    new UsageHandlers(store).register(owner);
    this.blockedReads = new BlockedReads(store, options.getMaxBlockedReads());
    owner.onClose(blockedReads::close);
    new QueueHandlers(store, blockedReads).register(owner);
    new LockHandlers(store).register(owner);
    new SemaphoreHandlers(store).register(owner);
    new PendingHandlers(store, options).register(owner);
    new SystemHandlers(store, this).register(owner);
  }

  /**
   * Opens a state of its own, owned by the event loop of the calling context.
   *
   * @param options valid options
   * @param source where time comes from
   */
  public static Future<StateBackend> open(
      Vertx vertx, RuntimeStateOptions options, TimeSource source) {
    ContextInternal caller = Callers.context(vertx);
    MemoryBackend backend = new MemoryBackend((VertxInternal) vertx, options, source);
    Promise<StateBackend> opened = caller.promise();
    backend.owner.context().runOnContext(ignored -> backend.deploy().onComplete(opened));
    return opened.future();
  }

  /** Runs on the owner's own context, so that the verticle belongs to no other deployment. */
  private Future<StateBackend> deploy() {
    return vertx
        .deployVerticle(new OwnerVerticle(owner))
        .map(
            id -> {
              deployment = id;
              return this;
            });
  }

  @Override
  public BackendDescription description() {
    return description;
  }

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    return owner.execute(operation);
  }

  @Override
  public void endRead(QueueOperation.Read read) {
    owner.afterCalls(() -> blockedReads.end(read));
  }

  @Override
  public long unixMillis() {
    return clock.unixMillis();
  }

  @Override
  public Map<String, Long> figures() {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put(Figures.PENDING, (long) owner.pending());
    figures.put(Figures.BLOCKED_READS, (long) blockedReads.count());
    figures.put(Figures.TRIMMED_UNFINISHED, store.streams.trimmedUnfinished());
    figures.putAll(Figures.ofStore(store.figures()));
    return figures;
  }

  /** The operations without a handler, for the completeness test. */
  List<String> missingHandlers() {
    return owner.missingHandlers();
  }

  @Override
  public Future<Void> close() {
    Promise<Void> closed = Callers.promise(vertx);
    owner.context().runOnContext(ignored -> undeploy().onComplete(closed));
    return closed.future();
  }

  private Future<Void> undeploy() {
    if (closing == null) {
      closing = vertx.undeploy(deployment).otherwiseEmpty(); // already gone: closed as well
    }
    return closing;
  }
}
