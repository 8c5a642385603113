package io.runtimestate.eventbus;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.SystemInfo;
import io.runtimestate.operation.Operation;
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
import io.vertx.core.eventbus.MessageProducer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.shareddata.LocalMap;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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
  private final List<MessageProducer<PassedCall<?>>> senders;
  private final boolean traced; // a tracer is to see the answer as well, so there must be a message
  private final ClockEstimate clock;
  private final Set<RemoteCall<?>> pending = ConcurrentHashMap.newKeySet();
  private final CallWatch watch;
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
    this.senders =
        Arrays.stream(addresses).map(address -> ByReference.sender(vertx, address)).toList();
    this.traced = ((VertxInternal) vertx).tracer() != null;
    this.watch = new CallWatch((VertxInternal) vertx, pending);
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
    Exposure here = servedHere();
    return here == null
        ? executeJson(operation, timeoutMillis)
        : executePassed(operation, timeoutMillis, here);
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
    watch.close();
    pending.forEach(call -> call.abort(BusFailures.closed(call.type(), true)));
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

  /** The exposure that serves the base right now; null if it gets JSON. */
  private Exposure servedHere() {
    Exposure known = exposure;
    return known != null && known.isServing() ? known : servedAnew();
  }

  private Exposure servedAnew() {
    Exposure found = traced ? null : exposures.get(base);
    exposure = found;
    return found != null && found.isServing() ? found : null;
  }

  private <R> Future<R> executePassed(Operation<R> operation, long timeoutMillis, Exposure here) {
    long lastTick = watch.tickAfter(waitMillis(operation, timeoutMillis));
    PassedCall<R> call =
        new PassedCall<>(operation, timeoutMillis, Callers.promise(vertx), pending, here, lastTick);
    if (admit(call)) {
      pass(call);
    }
    return call.future();
  }

  private void pass(PassedCall<?> call) {
    watch.start();
    try {
      Future<Void> passed = senders.get(call.type().ordinal()).write(call);
      if (!passed.succeeded()) {
        passed.onFailure(refused -> call.abort(BusFailures.received(call.type(), refused)));
      }
    } catch (RuntimeException defect) {
      call.abort(BusFailures.received(call.type(), defect));
    }
  }

  private <R> Future<R> executeJson(Operation<R> operation, long timeoutMillis) {
    JsonCall<R> call = new JsonCall<>(operation, Callers.promise(vertx), pending);
    if (admit(call)) {
      request(call, timeoutMillis);
    }
    return call.future();
  }

  private void request(JsonCall<?> call, long timeoutMillis) {
    String address = addresses[call.type().ordinal()];
    try {
      JsonObject body = OperationJson.of(call.type()).writeCall(call.operation());
      bus.request(address, body, jsonOptions(call, timeoutMillis)).onComplete(call);
    } catch (RuntimeException defect) {
      call.abort(BusFailures.received(call.type(), defect));
    }
  }

  /** Options with headers are not shared: a tracer writes to the headers. */
  private static DeliveryOptions jsonOptions(JsonCall<?> call, long timeoutMillis) {
    return new DeliveryOptions()
        .addHeader(OperationConsumer.TIMEOUT, Long.toString(timeoutMillis))
        .setSendTimeout(waitMillis(call.operation(), timeoutMillis));
  }

  /** Whether the call may be sent; if not, it has ended. */
  private boolean admit(RemoteCall<?> call) {
    pending.add(call);
    if (closed) { // asked after adding: close() fails what it finds
      call.abort(BusFailures.closed(call.type(), false));
      return false;
    }
    return true;
  }

  /** How long the answer is waited for. */
  private static long waitMillis(Operation<?> operation, long timeoutMillis) {
    return timeoutMillis == NO_TIMEOUT
        ? LONGEST_WAIT_MILLIS
        : Math.min(LONGEST_WAIT_MILLIS, timeoutMillis + GRACE_MILLIS + blockMillis(operation));
  }

  /** How long the operation itself may wait before its timeout counts. */
  private static long blockMillis(Operation<?> operation) {
    return operation instanceof QueueOperation.Read read
        ? read.block().map(Duration::toMillis).orElse(0L)
        : 0;
  }
}
