package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Health;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.eventbus.Samples;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.Lag;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.SettleCheck;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every operation of the catalogue, in all its forms at once, meets every fault. */
class EveryOperationFaultTest extends RedisTest {
  /** Those that ask no server. */
  private static final Set<String> LOCAL = Set.of("system.info", "system.statistics");

  private static final Set<FailureCode> PASSING =
      Set.of(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT, FailureCode.OVERLOADED);

  private static final int ENOUGH_MILLIS = 20_000;

  /** What is between the library and its server. */
  record Way(RedisServer server, FaultProxy proxy) {
    /** No network goes on with a stream of which it has lost a part. */
    void unmute() {
      proxy.unmute();
      proxy.cut();
    }
  }

  /** Something that happens to calls in flight. */
  enum Fault {
    PAUSED(300, way -> way.server.pause(), way -> {}, way -> way.server.resume()),
    STALLED(300, way -> way.proxy.stall(), way -> {}, way -> way.proxy.resume()),
    MUTED(300, way -> way.proxy.mute(), way -> {}, Way::unmute),
    CUT(way -> way.proxy.stall(), way -> way.proxy.cut(), way -> way.proxy.resume()),
    HUNG_UP(way -> way.proxy.stall(), way -> way.proxy.hangUp(), way -> way.proxy.resume()),
    KILLED(way -> way.server.pause(), way -> way.server.kill(), way -> way.server.startAgain());

    private final int timeoutMillis;
    private final Consumer<Way> begin;
    private final Consumer<Way> strike;
    private final Consumer<Way> end;

    Fault(int timeoutMillis, Consumer<Way> begin, Consumer<Way> strike, Consumer<Way> end) {
      this.timeoutMillis = timeoutMillis;
      this.begin = begin;
      this.strike = strike;
      this.end = end;
    }

    Fault(Consumer<Way> begin, Consumer<Way> strike, Consumer<Way> end) {
      this(ENOUGH_MILLIS, begin, strike, end);
    }

    FailureCode code() {
      return timeoutMillis == ENOUGH_MILLIS ? FailureCode.UNAVAILABLE : FailureCode.TIMED_OUT;
    }
  }

  private final SettleCheck settle = new SettleCheck();
  private Way way;
  private StateBackend backend;
  private StateBackend watched;

  /** A call that was made, and when it ended. */
  private static final class Made {
    final OperationType type;
    final Future<?> future;
    private final long startedAt = System.nanoTime();
    private volatile long millis = -1;

    Made(Operation<?> operation, StateBackend backend, long timeoutMillis) {
      type = OperationCatalog.typeOf(operation);
      future = backend.execute(operation, timeoutMillis);
      future.onComplete(done -> millis = (System.nanoTime() - startedAt) / 1_000_000);
    }

    boolean hasEnded() {
      return millis >= 0;
    }
  }

  @BeforeEach
  void open() {
    RedisServer server = RedisServer.start();
    way = new Way(server, FaultProxy.start(vertx, server.port()));
    backend = open(options(way.proxy.uri()).setCommandTimeout(Duration.ofSeconds(20)));
    watched = settle.watch(backend);
    everything(ENOUGH_MILLIS).forEach(made -> Await.until(made::hasEnded, made.type.name()));
  }

  @AfterEach
  void stop() {
    Await.get(backend.close());
    way.proxy.close();
    way.server.close();
  }

  private static Stream<Operation<?>> operations() {
    return OperationCatalog.all().stream()
        .filter(type -> !LOCAL.contains(type.name()))
        .flatMap(type -> Samples.operations(type).stream())
        .filter(operation -> !isBlocking(operation) && !goesOn(operation));
  }

  private static boolean isBlocking(Operation<?> operation) {
    return operation instanceof QueueOperation.Read read && read.block().isPresent();
  }

  /** A scan with the cursor of nobody is refused without asking. */
  private static boolean goesOn(Operation<?> operation) {
    return operation instanceof KeyOperation.Scan scan && scan.cursor().isPresent();
  }

  private List<Made> everything(long timeoutMillis) {
    List<Made> all = new ArrayList<>();
    operations().forEach(operation -> all.add(new Made(operation, watched, timeoutMillis)));
    return all;
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  @DisplayName("C047 A01 B01 all in flight end once, in time, rightly flagged; then all is whole")
  void fault(Fault fault) {
    Whole whole = Whole.of(backend, way.server, vertx);
    fault.begin.accept(way);
    try (Lag lag = Lag.measure()) {
      List<Made> all = everything(fault.timeoutMillis);
      assertThat(all).hasSizeGreaterThan(500);
      onLoop(() -> null); // all are sent
      fault.strike.accept(way);
      all.forEach(made -> Await.until(made::hasEnded, made.type.name()));
      all.forEach(made -> assertEnded(made, fault, lag.millis()));
    } finally {
      fault.end.accept(way);
    }
    settle.verify();
    Await.until(this::everyLaneAnswers, "every lane answers again");
    everything(ENOUGH_MILLIS).forEach(EveryOperationFaultTest::assertAnswered);
    whole.awaitReturn();
  }

  private boolean everyLaneAnswers() {
    Future<?> all =
        Future.join(
            backend.execute(get("k")),
            backend.execute(new SystemOperation.Time()),
            backend.execute(new KeyOperation.Scan("*", Optional.empty(), 1)));
    Await.until(all::isComplete, "they end");
    return all.succeeded();
  }

  private static void assertEnded(Made made, Fault fault, long lagMillis) {
    if (made.type.name().equals("system.health")) {
      assertThat(((Health) Await.get(made.future)).up()).isFalse();
      return;
    }
    RuntimeStateException failure = failure(made.future);
    assertThat(failure.code()).as(made.type.name()).isEqualTo(fault.code());
    assertThat(failure.isRetryable()).isTrue();
    assertThat(failure.mayHaveBeenApplied())
        .as(made.type.name())
        .isEqualTo(made.type.kind().isWrite() && !failure.getMessage().endsWith("not sent"));
    if (fault.code() == FailureCode.TIMED_OUT) {
      assertThat(made.millis).as(made.type.name()).isBetween(300L, 500L + 3 * lagMillis);
    }
  }

  /** The server has decided, whatever it decided. */
  private static void assertAnswered(Made made) {
    Await.until(made::hasEnded, made.type.name());
    if (made.future.failed()) {
      assertThat(PASSING).doesNotContain(failure(made.future).code());
    }
  }
}
