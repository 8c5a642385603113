package io.runtimestate.contract;

import static io.runtimestate.contract.Ttls.assertMissing;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.FacadeCall;
import io.runtimestate.RecordingBackend;
import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.ArgumentRule;
import io.runtimestate.operation.ArgumentRules;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.support.Await;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.invoke.MethodType;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

/** Every argument rule of every operation, broken through Java and through JSON. */
class BadInputContractTest {
  private static final String KEY = (String) ArgumentRule.KEY.usual();

  @EachBackend
  @DisplayName("C038 a facade turns every bad argument into a failed future that names it")
  void facades_refuse(Fixture f) {
    int refused = 0;
    for (FacadeCall call : FacadeCall.all()) {
      Map<String, ArgumentRule> rules = ArgumentRules.of(operationOf(f, call));
      Parameter[] parameters = call.method().getParameters();
      for (int i = 0; i < parameters.length; i++) {
        ArgumentRule rule = rules.get(parameters[i].getName());
        for (Object bad : rule == null ? List.of() : rule.bad()) {
          if (fits(bad, parameters[i].getType())) {
            assertRefused(f.state(), call, i, bad);
            refused++;
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(200);
    assertMissing(f.state(), KEY);
  }

  private static String operationOf(Fixture f, FacadeCall call) {
    RecordingBackend recording = new RecordingBackend(f.vertx());
    call.on(RuntimeState.over(f.vertx(), recording), call.usualArguments());
    return recording.taken(call).get(0).name();
  }

  private static boolean fits(Object bad, Class<?> type) {
    return bad == null ? !type.isPrimitive() : wrapped(type).isInstance(bad);
  }

  private static Class<?> wrapped(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  private static void assertRefused(RuntimeState state, FacadeCall call, int index, Object bad) {
    Object[] arguments = call.usualArguments();
    arguments[index] = bad;
    Throwable failure = Await.failure(call.on(state, arguments));
    assertThat(failure).as("%s", call).isInstanceOf(RuntimeStateException.class);
    RuntimeStateException refused = (RuntimeStateException) failure;
    assertThat(refused.code()).as("%s", call).isEqualTo(FailureCode.INVALID_INPUT);
    assertThat(refused.mayHaveBeenApplied()).isFalse();
    assertThat(refused.getMessage())
        .matches("[a-z]+\\.[a-zA-Z]+: .*")
        .contains(": " + call.method().getParameters()[index].getName());
  }

  @EachBackend
  @DisplayName("C456 C455 the same over the event bus, and every wrong JSON type")
  void addresses_refuse(Fixture f) {
    for (String operation : ArgumentRules.operations()) {
      Map<String, ArgumentRule> rules = ArgumentRules.of(operation);
      rules.forEach(
          (name, rule) -> {
            for (Object bad : badJson(rule)) {
              JsonObject body = json(ArgumentRules.usualBut(operation, name, null));
              assertRefused(f, operation, body.put(name, bad), name);
            }
          });
    }
    assertMissing(f.state(), KEY);
  }

  /** The JSON of the bad values, and the JSON of wrong types. */
  private static List<Object> badJson(ArgumentRule rule) {
    List<Object> bad = new ArrayList<>();
    rule.bad().forEach(value -> bad.add(ArgumentRules.toJson(value)));
    rule.badJson().forEach(value -> bad.add(ArgumentRules.toJson(value)));
    if (!(rule.usual() instanceof Map)) {
      bad.add(new JsonObject().put("nothing", "known"));
    }
    bad.add(new JsonArray().add(new JsonArray()));
    return bad;
  }

  private static void assertRefused(Fixture f, String operation, JsonObject body, String name) {
    ReplyException refused = request(f, operation, body);
    assertThat(refused.failureCode()).as(operation).isEqualTo(FailureCode.INVALID_INPUT.number());
    assertThat(refused.getMessage()).startsWith(operation + ": " + name).hasSizeLessThan(150);
  }

  private static ReplyException request(Fixture f, String operation, Object body) {
    Future<?> answer = f.vertx().eventBus().request(f.address(operation), body);
    return (ReplyException) Await.failure(answer);
  }

  @EachBackend
  @DisplayName("C456 required fields must be there, unknown ones must not")
  void addresses_missingAndUnknown(Fixture f) {
    for (String operation : ArgumentRules.operations()) {
      JsonObject usual = json(ArgumentRules.usual(operation));
      ArgumentRules.of(operation)
          .forEach(
              (name, rule) -> {
                if (rule.isRequired()) {
                  JsonObject without = usual.copy();
                  without.remove(name);
                  assertRefused(f, operation, without, name);
                }
              });
      assertRefused(f, operation, usual.copy().put("nonsense", 1), "nonsense is an unknown field");
      ReplyException hidden = request(f, operation, usual.copy().put("a:b", 1));
      assertThat(hidden.getMessage()).doesNotContain("a:b");
      assertThat(hidden.failureCode()).isEqualTo(FailureCode.INVALID_INPUT.number());
    }
    assertMissing(f.state(), KEY);
  }

  @EachBackend
  @DisplayName("C456 a body that is not an object is refused everywhere")
  void addresses_noObject(Fixture f) {
    for (OperationType type : OperationCatalog.all()) {
      for (Object body : new Object[] {null, "x", 1, true, new JsonArray()}) {
        ReplyException refused = request(f, type.name(), body);
        assertThat(refused.failureCode()).isEqualTo(FailureCode.INVALID_INPUT.number());
        assertThat(refused.getMessage()).startsWith(type.name() + ": the body");
      }
    }
  }

  @EachBackend
  @DisplayName("C456 null for an optional field, and its absence, are accepted")
  void addresses_optional(Fixture f) {
    JsonObject set = new JsonObject().put("key", f.key("k")).put("value", "v");
    get(f.vertx().eventBus().request(f.address("kv.set"), set));
    get(f.vertx().eventBus().request(f.address("kv.set"), set.copy().putNull("ttl")));
    get(f.vertx().eventBus().request(f.address("kv.set"), set.copy().putNull("keepTtl")));
    assertThat(get(f.state().kv().get(f.key("k")))).contains("v");
  }

  private static JsonObject json(Map<String, Object> arguments) {
    JsonObject json = new JsonObject();
    arguments.forEach((name, value) -> json.put(name, ArgumentRules.toJson(value)));
    return json;
  }
}
