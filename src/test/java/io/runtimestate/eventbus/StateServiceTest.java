package io.runtimestate.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.BusScope;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.Callers;
import io.runtimestate.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class StateServiceTest {
  private static final String BASE = "state";

  private Vertx vertx;
  private FakeDoor door;
  private StateService service;

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

  @ParameterizedTest
  @MethodSource("catalogue")
  @DisplayName("C454 every address takes the JSON of its operation and answers in JSON")
  void request_everyOperation(OperationType type) {
    OperationJson json = OperationJson.of(type);
    Operation<?> operation = Samples.operations(type).get(0);
    JsonObject reply = request(type.name(), json.writeCall(operation));
    Object direct = Await.get(door.execute(operation));
    assertThat(door.operations).containsExactly(operation, operation);
    assertThat(reply).isEqualTo(json.writeReply(direct));
    assertThat(reply.fieldNames()).containsExactly("result");
  }

  @ParameterizedTest
  @EnumSource(FailureCode.class)
  @DisplayName("C455 a failure is answered with its number and message")
  void failure_numberAndMessage(FailureCode code) {
    door.failing("kv", new RuntimeStateException(code, "kv.get: broken"));
    assertFails("kv.get", json("{'key':'k'}"), code, "kv.get: broken");
  }

  @Test
  @DisplayName("C455 the message tells that a write may have been applied")
  void failure_mayHaveBeenApplied() {
    door.failing(
        "kv", new RuntimeStateException(FailureCode.TIMED_OUT, "kv.take: late", true, null));
    assertFails(
        "kv.take",
        json("{'key':'k'}"),
        FailureCode.TIMED_OUT,
        "kv.take: late [may have been applied]");
  }

  @Test
  @DisplayName("O03 a defect is answered at once, without its text")
  void defect_internal() {
    door.failing("kv", new IllegalArgumentException("secret"));
    String read = "kv.get: defect, java.lang.IllegalArgumentException";
    assertFails("kv.get", json("{'key':'k'}"), FailureCode.INTERNAL, read);
    String write = "kv.take: defect, java.lang.IllegalArgumentException [may have been applied]";
    assertFails("kv.take", json("{'key':'k'}"), FailureCode.INTERNAL, write);
  }

  @Test
  @DisplayName("O03 a door that throws, or answers what has no JSON form, is answered at once")
  void defect_thrown() {
    door.script(
        operation -> {
          throw new StackOverflowError("secret");
        });
    assertFails(
        "kv.get",
        json("{'key':'k'}"),
        FailureCode.INTERNAL,
        "kv.get: defect, java.lang.StackOverflowError");
    door.script(operation -> Callers.succeeded(vertx, 5));
    assertFails(
        "kv.get",
        json("{'key':'k'}"),
        FailureCode.INTERNAL,
        "kv.get: defect, java.lang.ClassCastException");
  }

  @Test
  @DisplayName("C456 a body that is not an object")
  void body_noObject() {
    for (Object body : new Object[] {"text", 5, true, new JsonArray(), new byte[0]}) {
      assertFails("kv.get", body, FailureCode.INVALID_INPUT, "kv.get: the body must be an object");
    }
    assertFails("kv.get", null, FailureCode.INVALID_INPUT, "kv.get: the body is required");
  }

  @Test
  @DisplayName("C456 missing, unknown and wrong fields are named")
  void body_wrongFields() {
    assertInvalid("kv.get", "{}", "kv.get: key is required");
    assertInvalid("kv.get", "{'key':null}", "kv.get: key is required");
    assertInvalid("kv.get", "{'key':5}", "kv.get: key must be a text");
    assertInvalid("kv.get", "{'kye':'k'}", "kv.get: kye is an unknown field");
    assertInvalid("kv.get", "{'key':'k','a:b':1}", "kv.get: the body has unknown fields: 1");
    assertInvalid(
        "kv.increment", "{'key':'k','delta':1.5}", "kv.increment: delta must be an integer");
    assertInvalid("kv.getMany", "{'keys':['k',null]}", "kv.getMany: keys[1] is required");
    assertInvalid(
        "kv.setMany", "{'entries':[{'key':'k'}]}", "kv.setMany: entries[0].value is required");
    assertThat(door.operations).isEmpty();
  }

  @Test
  @DisplayName("C456 the rules of the operation itself")
  void body_ruleOfOperation() {
    assertInvalid("kv.get", "{'key':''}", "kv.get: key must not be empty");
    assertInvalid("key.expire", "{'key':'k','ttl':-1}", "key.expire: ttl must not be negative");
    assertInvalid(
        "key.expire",
        "{'key':'k','ttl':9223372036854775807}",
        "key.expire: ttl must be at most 36525 days");
  }

  @Test
  @DisplayName("C456 null for an optional field equals absence")
  void body_nullIsAbsent() {
    request("kv.set", json("{'key':'k','value':'v','ttl':null,'keepTtl':null}"));
    request("kv.set", json("{'key':'k','value':'v'}"));
    KvOperation.Set expected = new KvOperation.Set("k", "v", Optional.empty(), false);
    assertThat(door.operations).containsExactly(expected, expected);
  }

  @Test
  @DisplayName("C457 64-bit integers are exact over the bus")
  void numbers_exact() {
    door.script(operation -> Callers.succeeded(vertx, Long.MAX_VALUE));
    for (Object delta : List.of(Long.MIN_VALUE, "-9223372036854775808")) {
      JsonObject body = json("{'key':'k'}").put("delta", delta);
      assertThat(request("kv.increment", body).getLong("result")).isEqualTo(Long.MAX_VALUE);
      assertThat(door.last())
          .isEqualTo(new KvOperation.Increment("k", Long.MIN_VALUE, Optional.empty()));
    }
  }

  @Test
  @DisplayName("C459 a base is free for one exposure at a time")
  void expose_taken() {
    RuntimeStateException refused = failure(StateService.expose(vertx, door, BASE, BusScope.LOCAL));
    assertThat(refused.code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
    FakeDoor other = new FakeDoor(vertx);
    Await.get(StateService.expose(vertx, other, "other", BusScope.LOCAL));
    request("kv.get", json("{'key':'k'}"));
    Await.get(vertx.eventBus().request("other.kv.get", json("{'key':'k'}")));
    assertThat(door.operations).hasSize(1);
    assertThat(other.operations).hasSize(1);
    Await.get(service.close());
    Await.get(StateService.expose(vertx, other, BASE, BusScope.LOCAL));
    request("kv.get", json("{'key':'k'}"));
    assertThat(other.operations).hasSize(2);
  }

  @Test
  @DisplayName("C459 of many exposures at once one succeeds")
  void expose_atOnce() {
    List<Future<StateService>> all =
        IntStream.range(0, 8)
            .mapToObj(i -> StateService.expose(vertx, door, "once", BusScope.LOCAL))
            .toList();
    Await.get(Future.join(all).otherwiseEmpty());
    assertThat(all).filteredOn(Future::succeeded).hasSize(1);
  }

  @Test
  void expose_impossibleBase() {
    for (String base : new String[] {null, "", " ", ".a", "a."}) {
      assertThat(failure(StateService.expose(vertx, door, base, BusScope.LOCAL)).code())
          .isEqualTo(FailureCode.INVALID_CONFIGURATION);
    }
  }

  @Test
  @DisplayName("C453 nothing is left at the addresses after close, which may be repeated")
  void close_nobodyServes() {
    Await.get(Future.all(service.close(), service.close()));
    Await.get(service.close());
    for (OperationType type : catalogue()) {
      ReplyException gone = refusal(type.name(), new JsonObject());
      assertThat(gone.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS);
    }
  }

  @Test
  void close_answersWhatIsServed() {
    Promise<Object> slow = Promise.promise();
    door.script(operation -> slow.future());
    Future<Message<JsonObject>> reply =
        vertx.eventBus().request(BASE + ".kv.get", json("{'key':'k'}"));
    Await.until(() -> !door.operations.isEmpty(), "the door is asked");
    Await.get(service.close());
    slow.complete(Optional.of("v"));
    assertThat(Await.get(reply).body()).isEqualTo(json("{'result':'v'}"));
  }

  @Test
  void close_completesOnCallersContext() {
    Context context = vertx.getOrCreateContext();
    Promise<Context> seen = Promise.promise();
    context.runOnContext(
        go -> service.close().onComplete(done -> seen.complete(Vertx.currentContext())));
    assertThat(Await.get(seen.future())).isSameAs(context);
  }

  @Test
  @DisplayName("13.3 the timeout of a call travels in a header, the door's own is the default")
  void timeout_header() {
    request("kv.get", json("{'key':'k'}"));
    assertThat(door.lastTimeout()).isEqualTo(FakeDoor.TIMEOUT_MILLIS);
    DeliveryOptions given = new DeliveryOptions().addHeader("timeout", "77");
    Await.get(vertx.eventBus().request(BASE + ".kv.get", json("{'key':'k'}"), given));
    assertThat(door.lastTimeout()).isEqualTo(77);
    for (String wrong : List.of("", "-1", "1.5", "x", "9".repeat(19), "٣")) {
      DeliveryOptions options = new DeliveryOptions().addHeader("timeout", wrong);
      Throwable refused =
          Await.failure(vertx.eventBus().request(BASE + ".kv.get", json("{'key':'k'}"), options));
      assertThat(refused).hasMessage("kv.get: the header timeout must be whole milliseconds");
    }
  }

  private JsonObject request(String name, Object body) {
    Future<Message<JsonObject>> reply = vertx.eventBus().request(BASE + "." + name, body);
    return Await.get(reply).body();
  }

  private ReplyException refusal(String name, Object body) {
    return (ReplyException) Await.failure(vertx.eventBus().request(BASE + "." + name, body));
  }

  private void assertInvalid(String name, String body, String message) {
    assertFails(name, json(body), FailureCode.INVALID_INPUT, message);
  }

  private void assertFails(String name, Object body, FailureCode code, String message) {
    ReplyException refusal = refusal(name, body);
    assertThat(refusal.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
    assertThat(refusal.failureCode()).isEqualTo(code.number());
    assertThat(refusal).hasMessage(message);
  }

  private static RuntimeStateException failure(Future<?> future) {
    return (RuntimeStateException) Await.failure(future);
  }

  private static JsonObject json(String singleQuoted) {
    return new JsonObject(singleQuoted.replace('\'', '"'));
  }
}
