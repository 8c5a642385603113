package io.runtimestate.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.BusScope;
import io.runtimestate.data.BackendKind;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RemoteBackendTest {
  private static final String BASE = "state";
  private static final KvOperation.Get READ = new KvOperation.Get("k");
  private static final KvOperation.Take WRITE = new KvOperation.Take("k");

  private Vertx vertx;
  private FakeDoor door;
  private StateService service;
  private int bases;

  static List<OperationType> catalogue() {
    return OperationCatalog.all();
  }

  @BeforeEach
  void expose() {
    vertx = Vertx.vertx();
    door = new FakeDoor(vertx);
    service = Await.get(StateService.expose(vertx, door, BASE, BusScope.LOCAL));
  }

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  void connect_describesTheOtherSide() {
    StateBackend client = connect(BASE);
    assertThat(client.description())
        .isEqualTo(
            new BackendDescription(
                BackendKind.REDIS, Optional.of("cluster"), Optional.of("7.4.1"), "rs", 2_000));
    assertThat(client.unixMillis()).isBetween(FakeDoor.NOW, FakeDoor.NOW + 60_000);
  }

  @ParameterizedTest
  @MethodSource("catalogue")
  @DisplayName("C454 by reference the very operation and the very result are handed over")
  void execute_byReference(OperationType type) {
    StateBackend client = connect(BASE);
    Operation<?> operation = Samples.operations(type).get(0);
    Object direct = Samples.results(type.resultType()).get(0);
    door.script(asked -> Callers.succeeded(vertx, direct));
    assertThat((Object) Await.get(client.execute(operation))).isSameAs(direct);
    assertThat((Object) door.last()).isSameAs(operation);
  }

  @ParameterizedTest
  @MethodSource("catalogue")
  @DisplayName("C454 as JSON an equal operation arrives and an equal result comes back")
  void execute_json(OperationType type) {
    StateBackend client = connectByJson();
    for (Operation<?> operation : Samples.operations(type)) {
      for (Object direct : Samples.results(type.resultType())) {
        door.script(asked -> Callers.succeeded(vertx, direct));
        assertThat((Object) Await.get(client.execute(operation))).isEqualTo(direct);
        assertThat((Object) door.last()).isEqualTo(operation).isNotSameAs(operation);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FailureCode.class)
  @DisplayName("C455 O03 direct and remote callers see the same failure")
  void failure_same(FailureCode code) {
    for (StateBackend client : List.of(connect(BASE), connectByJson())) {
      for (boolean applied : new boolean[] {false, true}) {
        RuntimeStateException direct =
            new RuntimeStateException(code, "kv.take: broken", applied, null);
        door.failing("kv", direct);
        RuntimeStateException remote = failure(client.execute(WRITE));
        assertThat(remote.code()).isEqualTo(code);
        assertThat(remote.isRetryable()).isEqualTo(direct.isRetryable());
        assertThat(remote.mayHaveBeenApplied()).isEqualTo(applied);
        assertThat(remote).hasMessage(direct.getMessage());
      }
      door.script(operation -> null);
    }
  }

  @Test
  @DisplayName("C457 scores and integers are exact either way")
  void numbers_exact() {
    for (StateBackend client : List.of(connect(BASE), connectByJson())) {
      door.script(
          asked ->
              asked instanceof KvOperation.Increment increment
                  ? Callers.succeeded(vertx, increment.delta())
                  : null);
      for (long exact : new long[] {Long.MIN_VALUE, (1L << 53) + 1, Long.MAX_VALUE}) {
        KvOperation.Increment call = new KvOperation.Increment("k", exact, Optional.empty());
        assertThat(Await.get(client.execute(call))).isEqualTo(exact);
      }
      door.script(asked -> null);
    }
  }

  @Test
  @DisplayName("C462 a base nobody serves: UNAVAILABLE, not applied")
  void noHandlers_unavailable() {
    assertFailure(RemoteBackend.connect(vertx, "nobody"), FailureCode.UNAVAILABLE, false);
    StateBackend client = connect(BASE);
    Await.get(service.close());
    assertFailure(client.execute(READ), FailureCode.UNAVAILABLE, false);
    assertFailure(client.execute(WRITE), FailureCode.UNAVAILABLE, false);
  }

  @Test
  @DisplayName("C462 no reply: TIMED_OUT after timeout + 1 s, flagged for writes")
  void noReply_timedOut() {
    StateBackend client = connectByReplies(message -> {}, 40);
    long before = System.nanoTime();
    Future<?> read = client.execute(READ);
    Future<?> write = client.execute(WRITE, 60);
    assertFailure(read, FailureCode.TIMED_OUT, false);
    assertThat(System.nanoTime() - before).isGreaterThan(1_030_000_000L);
    assertFailure(write, FailureCode.TIMED_OUT, true);
    assertThat(client.figures()).isEqualTo(Map.of(Figures.PENDING, 0L));
  }

  @Test
  @DisplayName("14.4 a reply that is not understood: UNEXPECTED_REPLY, flagged for writes")
  void undecodable_unexpectedReply() {
    Object[] replies = {
      null, "text", new JsonObject(), json("{'result':5}"), json("{'result':{}}"), 7L
    };
    for (Object reply : replies) {
      StateBackend client = connectByReplies(message -> message.reply(reply), 2_000);
      assertFailure(client.execute(READ), FailureCode.UNEXPECTED_REPLY, false);
      assertFailure(client.execute(WRITE), FailureCode.UNEXPECTED_REPLY, true);
    }
  }

  @Test
  @DisplayName("14.4 an unknown number is INTERNAL; an error of the bus itself is UNEXPECTED_REPLY")
  void failure_ofOthers() {
    StateBackend unknown = connectByReplies(message -> message.fail(-1, null), 2_000);
    assertFailure(unknown.execute(WRITE), FailureCode.INTERNAL, false);
    ReplyException error = new ReplyException(ReplyFailure.ERROR, "broken");
    StateBackend broken = connectByReplies(message -> message.reply(error), 2_000);
    assertFailure(broken.execute(WRITE), FailureCode.UNEXPECTED_REPLY, true);
  }

  @Test
  @DisplayName("14.4 connect to what is no runtime")
  void connect_unknownKind() {
    JsonObject info =
        json("{'backend':'tape','topology':null,'serverVersion':null,'keyPrefix':'rs'}");
    vertx
        .eventBus()
        .<Object>localConsumer(
            "odd.system.info", message -> message.reply(json("{}").put("result", info)));
    assertFailure(RemoteBackend.connect(vertx, "odd"), FailureCode.UNEXPECTED_REPLY, false);
    assertFailure(RemoteBackend.connect(vertx, " "), FailureCode.INVALID_CONFIGURATION, false);
  }

  @Test
  @DisplayName("13.3 the timeout of a call travels, none included")
  void timeout_travels() {
    for (StateBackend client : List.of(connect(BASE), connectByJson())) {
      Await.get(client.execute(READ));
      assertThat(door.lastTimeout()).isEqualTo(2_000);
      Await.get(client.execute(READ, 77));
      assertThat(door.lastTimeout()).isEqualTo(77);
      Await.get(client.execute(READ, StateBackend.NO_TIMEOUT));
      assertThat(door.lastTimeout()).isZero();
    }
  }

  @Test
  void futures_completeOnCallersContext() {
    for (StateBackend client : List.of(connect(BASE), connectByJson())) {
      assertOnContext(() -> client.execute(READ));
      door.failing("kv", new RuntimeStateException(FailureCode.OVERLOADED, "kv.get: full"));
      assertOnContext(() -> client.execute(READ));
      door.script(operation -> null);
      Await.get(client.close());
      assertOnContext(() -> client.execute(READ));
      assertOnContext(client::close);
    }
    assertOnContext(() -> RemoteBackend.connect(vertx, BASE));
    assertOnContext(() -> RemoteBackend.connect(vertx, "nobody"));
  }

  @Test
  @DisplayName("13.2 close fails what is pending and what comes later, and nothing elsewhere")
  void close_failsPending() {
    StateBackend client = connect(BASE);
    StateBackend other = connectByJson();
    door.silent("kv");
    Future<?> read = client.execute(READ);
    Future<?> write = client.execute(WRITE);
    Await.until(() -> door.operations.contains(WRITE), "the door is asked");
    assertThat(client.figures()).isEqualTo(Map.of(Figures.PENDING, 2L));
    Await.get(client.close());
    assertFailure(read, FailureCode.CLOSED, false);
    assertFailure(write, FailureCode.CLOSED, true);
    assertFailure(client.execute(WRITE), FailureCode.CLOSED, false);
    assertThat(client.figures()).isEqualTo(Map.of(Figures.PENDING, 0L));
    Await.get(client.close());
    door.script(operation -> null);
    assertThat(Await.get(other.execute(READ))).isEmpty();
    assertThat(Await.get(other.execute(new SystemOperation.Time()))).isEqualTo(FakeDoor.NOW);
  }

  @Test
  @DisplayName("14.1 a client goes on over JSON when the base moves, and by reference again")
  void reference_followsTheExposure() {
    StateBackend client = connect(BASE);
    Await.get(service.close());
    try (Stand stand = new Stand(BASE, message -> message.reply(json("{'result':'v'}")))) {
      assertThat(Await.get(client.execute(READ))).contains("v");
      assertThat(stand.bodies()).containsExactly(json("{'key':'k'}"));
    }
    Await.get(StateService.expose(vertx, door, BASE, BusScope.LOCAL));
    Await.get(client.execute(READ));
    assertThat((Object) door.last()).isSameAs(READ);
  }

  @Test
  @DisplayName("14.1 a base that is taken but not yet served here gets JSON")
  void reference_onlyWhileServing() {
    StateBackend client = connectByJson();
    Exposure taken = Exposure.take(vertx, "base" + bases);
    Await.get(client.execute(READ));
    assertThat((Object) door.last()).isEqualTo(READ).isNotSameAs(READ);
    taken.serving(true);
    Await.get(client.execute(READ));
    assertThat((Object) door.last()).isSameAs(READ);
  }

  /** Answers kv.get and kv.take as a foreign service would. */
  private final class Stand implements AutoCloseable {
    private final List<Object> bodies = new CopyOnWriteArrayList<>();
    private final List<MessageConsumer<Object>> consumers;

    Stand(String base, Consumer<Message<Object>> answer) {
      consumers =
          List.of(READ.name(), WRITE.name()).stream()
              .map(name -> base + "." + name)
              .map(address -> vertx.eventBus().localConsumer(address, handler(answer)))
              .toList();
    }

    private Handler<Message<Object>> handler(Consumer<Message<Object>> answer) {
      return message -> {
        bodies.add(message.body());
        answer.accept(message);
      };
    }

    List<Object> bodies() {
      return bodies;
    }

    @Override
    public void close() {
      consumers.forEach(consumer -> Await.get(consumer.unregister()));
    }
  }

  private StateBackend connect(String base) {
    return Await.get(RemoteBackend.connect(vertx, base));
  }

  /** A client that believes the door to be elsewhere. */
  private StateBackend connectByJson() {
    String base = newBase();
    Await.get(StateService.expose(vertx, door, base, BusScope.LOCAL));
    Exposure.in(vertx).remove(base);
    return connect(base);
  }

  private String newBase() {
    return "base" + ++bases;
  }

  /** A client of a base where only info and time are served well. */
  private StateBackend connectByReplies(Consumer<Message<Object>> answer, long timeoutMillis) {
    String base = newBase();
    forward(base, "system.info");
    forward(base, "system.time");
    new Stand(base, answer);
    return Await.get(RemoteBackend.connect(vertx, base, timeoutMillis));
  }

  private void forward(String base, String name) {
    vertx
        .eventBus()
        .<Object>localConsumer(
            base + "." + name,
            message ->
                vertx
                    .eventBus()
                    .request(BASE + "." + name, message.body())
                    .onSuccess(reply -> message.reply(reply.body())));
  }

  private void assertOnContext(Supplier<Future<?>> call) {
    Context context = vertx.getOrCreateContext();
    Promise<Context> seen = Promise.promise();
    context.runOnContext(
        go -> call.get().onComplete(done -> seen.complete(Vertx.currentContext())));
    assertThat(Await.get(seen.future())).isSameAs(context);
  }

  private static void assertFailure(Future<?> future, FailureCode code, boolean applied) {
    RuntimeStateException failure = failure(future);
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.mayHaveBeenApplied()).isEqualTo(applied);
  }

  private static RuntimeStateException failure(Future<?> future) {
    return (RuntimeStateException) Await.failure(future);
  }

  private static JsonObject json(String singleQuoted) {
    return new JsonObject(singleQuoted.replace('\'', '"'));
  }
}
