package io.runtimestate.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.BusScope;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.Footprint;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingOptions;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of calls inside one Vert.x instance whose answers are no messages. */
class PassedCallTest {
  private static final String BASE = "state";
  private static final KvOperation.Get READ = new KvOperation.Get("k");
  private static final KvOperation.Take WRITE = new KvOperation.Take("k");
  private static final KvOperation.Get SLOW = new KvOperation.Get("slow");

  private Vertx vertx;
  private Context serving;
  private FakeDoor door;
  private StateService service;

  @BeforeEach
  void expose() {
    open(Vertx.vertx());
  }

  private void open(Vertx opened) {
    vertx = opened;
    door = new FakeDoor(vertx);
    serving = ((VertxInternal) vertx).createEventLoopContext();
    service = on(serving, () -> StateService.expose(vertx, door, BASE, BusScope.LOCAL));
  }

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("C462 no answer: TIMED_OUT after timeout + 1 s, flagged for writes")
  void noAnswer_timedOut() {
    StateBackend client = connect();
    door.silent("kv");
    long before = System.nanoTime();
    Future<?> read = client.execute(READ, 40);
    Future<?> write = client.execute(WRITE, 60);
    assertFailure(read, FailureCode.TIMED_OUT, false);
    assertThat(System.nanoTime() - before).isGreaterThan(1_030_000_000L);
    assertFailure(write, FailureCode.TIMED_OUT, true);
    assertThat(client.figures()).isEqualTo(Map.of(Figures.PENDING, 0L));
  }

  @Test
  @DisplayName("C462 a message that never arrives: TIMED_OUT")
  void messageLost_timedOut() {
    StateBackend client = connect();
    vertx.eventBus().addOutboundInterceptor(PassedCallTest::lose);
    assertFailure(client.execute(WRITE, 40), FailureCode.TIMED_OUT, true);
    assertThat(door.operations).doesNotContain(WRITE);
  }

  @Test
  @DisplayName("C462 callers elsewhere do not wait for a loop that is stuck")
  void loopStuck_timedOut() {
    StateBackend client = connect();
    Context caller = ((VertxInternal) vertx).createEventLoopContext();
    CountDownLatch held = hold(serving);
    try {
      Future<?> call = onlyCalled(caller, () -> client.execute(WRITE, 40));
      assertFailure(call, FailureCode.TIMED_OUT, true);
    } finally {
      held.countDown();
    }
  }

  @Test
  @DisplayName("C462 no addresses where the base is said to be served: UNAVAILABLE, not applied")
  void noHandlers_unavailable() {
    StateBackend client = connect();
    Exposure.in(vertx).remove(BASE);
    Await.get(service.close());
    Exposure.take(vertx, BASE).serving(true);
    assertFailure(client.execute(READ), FailureCode.UNAVAILABLE, false);
    assertFailure(client.execute(WRITE), FailureCode.UNAVAILABLE, false);
  }

  @Test
  @DisplayName("O03 a door that throws is answered at once, without its text")
  void doorThrows_internal() {
    StateBackend client = connect();
    door.script(
        operation -> {
          throw new StackOverflowError("secret");
        });
    assertThat(failure(client.execute(WRITE)))
        .hasMessage("kv.take: defect, java.lang.StackOverflowError [may have been applied]")
        .hasNoCause();
  }

  @Test
  @DisplayName("14.1 a service that closes answers what it serves; what it dropped ends soon")
  void serviceCloses() {
    StateBackend client = connect();
    Promise<Object> slow = Promise.promise();
    door.script(operation -> operation == SLOW ? slow.future() : null);
    Future<Optional<String>> served = client.execute(SLOW, StateBackend.NO_TIMEOUT);
    Await.until(() -> door.operations.contains(SLOW), "the door is asked");
    CountDownLatch held = hold(serving);
    Future<?> read = client.execute(READ, StateBackend.NO_TIMEOUT);
    Future<?> write = client.execute(WRITE, StateBackend.NO_TIMEOUT);
    Future<Void> closed = service.close();
    held.countDown();
    Await.get(closed);
    assertFailure(read, FailureCode.TIMED_OUT, false);
    assertFailure(write, FailureCode.TIMED_OUT, true);
    assertThat(door.operations).doesNotContain(READ, WRITE);
    assertThat(served.isComplete()).isFalse();
    slow.complete(Optional.of("v"));
    assertThat(Await.get(served)).contains("v");
  }

  @Test
  @DisplayName("13.2 a closed client leaves no timer")
  void close_noTimer() {
    Footprint before = Footprint.of(vertx, null);
    StateBackend client = connect();
    door.silent("kv");
    Future<?> read = client.execute(READ);
    Future<?> write = client.execute(WRITE);
    Await.get(client.close());
    assertFailure(read, FailureCode.CLOSED, false);
    assertFailure(write, FailureCode.CLOSED, true);
    before.awaitReturn(vertx, null);
  }

  @Test
  @DisplayName("14.1 a tracer sees requests with their answers")
  void traced_json() {
    Await.get(vertx.close());
    CountingTracer tracer = new CountingTracer();
    open(
        Vertx.builder()
            .withTracer(options -> tracer)
            .with(new VertxOptions().setTracingOptions(new TracingOptions()))
            .build());
    StateBackend client = on(serving, () -> RemoteBackend.connect(vertx, BASE));
    int before = tracer.answers.get();
    // On another loop an answer may overtake what the bus notes for the tracer.
    on(serving, () -> client.execute(READ));
    assertThat(door.last()).isEqualTo(READ).isNotSameAs(READ);
    assertThat(tracer.answers.get()).isEqualTo(before + 1);
  }

  private static void lose(DeliveryContext<Object> delivery) {
    if (!(delivery.body() instanceof PassedCall)) {
      delivery.next();
    }
  }

  private StateBackend connect() {
    return Await.get(RemoteBackend.connect(vertx, BASE));
  }

  /** Keeps the loop of a context busy until the latch is down. */
  private static CountDownLatch hold(Context context) {
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    context.runOnContext(
        now -> {
          begun.countDown();
          await(over);
        });
    await(begun);
    return over;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  private static <T> T on(Context context, Supplier<Future<T>> call) {
    return Await.get(onlyCalled(context, call));
  }

  private static <T> Future<T> onlyCalled(Context context, Supplier<Future<T>> call) {
    Promise<T> done = Promise.promise();
    context.runOnContext(now -> call.get().onComplete(done));
    return done.future();
  }

  private static void assertFailure(Future<?> future, FailureCode code, boolean applied) {
    RuntimeStateException failure = failure(future);
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.mayHaveBeenApplied()).isEqualTo(applied);
  }

  private static RuntimeStateException failure(Future<?> future) {
    return (RuntimeStateException) Await.failure(future);
  }

  /** Counts the answers to requests. */
  private static final class CountingTracer implements VertxTracer<Object, Object> {
    private final AtomicInteger answers = new AtomicInteger();

    @Override
    public <R> Object sendRequest(
        Context context,
        SpanKind kind,
        TracingPolicy policy,
        R request,
        String operation,
        BiConsumer<String, String> headers,
        TagExtractor<R> tags) {
      return request;
    }

    @Override
    public <R> void receiveResponse(
        Context context, R response, Object request, Throwable failure, TagExtractor<R> tags) {
      answers.addAndGet(response == null ? 0 : 1);
    }
  }
}
