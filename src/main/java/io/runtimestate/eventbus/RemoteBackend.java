package io.runtimestate.eventbus;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.SystemInfo;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationType;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.ClockEstimate;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.shareddata.LocalMap;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The door on the other side of the event bus.
 *
 * <p>The serving side keeps the deadline of a call; this side waits a second longer than that for
 * the answer. Closing a client closes nothing there. It fails what is pending, but a request of the
 * event bus cannot be withdrawn: the bus forgets it at its answer or when its wait ends.
 */
public final class RemoteBackend implements StateBackend {
  /** The timeout of calls that bring none, in milliseconds. */
  public static final long DEFAULT_TIMEOUT_MILLIS =
      RuntimeStateOptions.DEFAULT_COMMAND_TIMEOUT.toMillis();

  private static final long GRACE_MILLIS = 1_000;
  private static final long LONGEST_WAIT_MILLIS = Durations.LONGEST.toMillis();

  private final Vertx vertx;
  private final EventBus bus;
  private final String base;
  private final String[] addresses;
  private final LocalMap<String, Exposure> exposures;
  private final long timeoutMillis;
  private final DeliveryOptions usualReference;
  private final ClockEstimate clock;
  private final Set<RemoteCall<?>> pending = ConcurrentHashMap.newKeySet();
  private volatile BackendDescription description;
  private volatile Exposure exposure; // the last one seen, which may be over
  private volatile boolean closed;

  private RemoteBackend(Vertx vertx, String base, long timeoutMillis) {
    this.addresses = Addresses.under(base);
    this.vertx = vertx;
    this.bus = vertx.eventBus();
    this.base = base;
    this.exposures = Exposure.in(vertx);
    this.timeoutMillis = timeoutMillis;
    this.usualReference = ByReference.options().setSendTimeout(sendTimeout(timeoutMillis, 0));
    this.clock = new ClockEstimate(vertx, () -> execute(new SystemOperation.Time(), timeoutMillis));
  }

  /** Connects with {@link #DEFAULT_TIMEOUT_MILLIS}. */
  public static Future<StateBackend> connect(Vertx vertx, String base) {
    return connect(vertx, base, DEFAULT_TIMEOUT_MILLIS);
  }

  /**
   * Connects to the door that is exposed under a base.
   *
   * @param timeoutMillis the timeout of calls that bring none; {@link StateBackend#NO_TIMEOUT} for
   *     none
   * @return fails with UNAVAILABLE if nobody serves the base, with INVALID_CONFIGURATION if it
   *     cannot be a base
   */
  public static Future<StateBackend> connect(Vertx vertx, String base, long timeoutMillis) {
    Promise<StateBackend> connected = Callers.promise(vertx);
    try {
      ByReference.register(vertx);
      new RemoteBackend(vertx, base, timeoutMillis).open().onComplete(connected);
    } catch (RuntimeStateException refused) {
      connected.fail(refused);
    }
    return connected.future();
  }

  @Override
  public BackendDescription description() {
    return description;
  }

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    RemoteCall<R> call =
        new RemoteCall<>(operation, timeoutMillis, Callers.promise(vertx), pending);
    pending.add(call);
    if (closed) { // asked after adding: close() fails what it finds
      call.end(BusFailures.closed(call.type(), false));
    } else {
      send(call);
    }
    return call.future();
  }

  @Override
  public long unixMillis() {
    return clock.unixMillis();
  }

  @Override
  public Map<String, Long> figures() {
    return Map.of(Figures.PENDING, (long) pending.size());
  }

  @Override
  public Future<Void> close() {
    closed = true;
    clock.close();
    pending.forEach(call -> call.end(BusFailures.closed(call.type(), true)));
    return Callers.succeeded(vertx, null);
  }

  private Future<StateBackend> open() {
    return execute(new SystemOperation.Info(), timeoutMillis)
        .map(this::describe)
        .compose(described -> clock.start())
        .<StateBackend>map(started -> this)
        .onFailure(refused -> close());
  }

  private BackendDescription describe(SystemInfo info) {
    description =
        new BackendDescription(
            kind(info.backend()),
            info.topology(),
            info.serverVersion(),
            info.keyPrefix(),
            timeoutMillis);
    return description;
  }

  private static BackendKind kind(String word) {
    return Arrays.stream(BackendKind.values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new RuntimeStateException(
                    FailureCode.UNEXPECTED_REPLY, "system.info: the backend is of no known kind"));
  }

  private void send(RemoteCall<?> call) {
    try {
      request(call).onComplete(call);
    } catch (RuntimeException defect) {
      call.end(BusFailures.received(call.type(), defect));
    }
  }

  private Future<Message<Object>> request(RemoteCall<?> call) {
    OperationType type = call.type();
    String address = addresses[type.ordinal()];
    return isServedHere()
        ? bus.request(address, call, referenceOptions(call))
        : bus.request(
            address, OperationJson.of(type).writeCall(call.operation()), jsonOptions(call));
  }

  /** Whether this Vert.x instance serves the base right now. */
  private boolean isServedHere() {
    Exposure known = exposure;
    return known != null && known.isServing() || isServedAnew();
  }

  private boolean isServedAnew() {
    exposure = exposures.get(base);
    return exposure != null && exposure.isServing();
  }

  private DeliveryOptions referenceOptions(RemoteCall<?> call) {
    return call.timeoutMillis() == timeoutMillis && blockMillis(call.operation()) == 0
        ? usualReference
        : ByReference.options().setSendTimeout(sendTimeout(call));
  }

  /** Options with headers are not shared: a tracer writes to the headers. */
  private static DeliveryOptions jsonOptions(RemoteCall<?> call) {
    return new DeliveryOptions()
        .addHeader(OperationConsumer.TIMEOUT, Long.toString(call.timeoutMillis()))
        .setSendTimeout(sendTimeout(call));
  }

  private static long sendTimeout(RemoteCall<?> call) {
    return sendTimeout(call.timeoutMillis(), blockMillis(call.operation()));
  }

  private static long sendTimeout(long timeoutMillis, long blockMillis) {
    return timeoutMillis == NO_TIMEOUT
        ? LONGEST_WAIT_MILLIS
        : Math.min(LONGEST_WAIT_MILLIS, timeoutMillis + GRACE_MILLIS + blockMillis);
  }

  /** How long the operation itself may wait before its timeout counts. */
  private static long blockMillis(Operation<?> operation) {
    return operation instanceof QueueOperation.Read read
        ? read.block().map(Duration::toMillis).orElse(0L)
        : 0;
  }
}
