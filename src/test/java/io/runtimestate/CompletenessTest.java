package io.runtimestate;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import io.runtimestate.config.BusScope;
import io.runtimestate.eventbus.StateService;
import io.runtimestate.operation.ArgumentRules;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever the catalogue lists exists everywhere; the backends' own tests look at the handlers. */
class CompletenessTest {
  /** Asked by remote clients only. */
  private static final Set<String> WITHOUT_FACADE = Set.of("system.info");

  private final Vertx vertx = Vertx.vertx();
  private final RecordingBackend recording = new RecordingBackend(vertx);

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  @DisplayName("every operation has a facade method")
  void operations_haveFacades() {
    Set<String> reached = new TreeSet<>(operationsByMethod().values());
    reached.addAll(WITHOUT_FACADE);
    assertThat(reached).containsExactlyInAnyOrderElementsOf(names());
  }

  @Test
  @DisplayName("every operation has a contract case that calls it")
  void operations_haveCases() {
    Map<String, String> operations = operationsByMethod();
    OperationCatalog.all()
        .forEach(type -> operations.put(type.recordClass().getName() + ".<init>", type.name()));
    Set<String> covered =
        MainClasses.TESTS.stream()
            .filter(test -> test.getPackageName().equals("io.runtimestate.contract"))
            .flatMap(CompletenessTest::accessed)
            .map(operations::get)
            .filter(name -> name != null)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(covered).containsExactlyInAnyOrderElementsOf(names());
  }

  private static Stream<String> accessed(JavaClass test) {
    return test.getAccessesFromSelf().stream()
        .map(JavaAccess::getTarget)
        .map(target -> target.getOwner().getName() + "." + target.getName());
  }

  /** What each facade method becomes; overloads of one name become the same. */
  private Map<String, String> operationsByMethod() {
    RuntimeState state = RuntimeState.over(vertx, recording);
    Map<String, String> operations = new HashMap<>();
    for (FacadeCall call : FacadeCall.all()) {
      call.on(state, call.usualArguments());
      Method method = call.method();
      operations.put(
          method.getDeclaringClass().getName() + "." + method.getName(),
          recording.taken(call).get(0).name());
    }
    return operations;
  }

  @Test
  @DisplayName("every operation has an address and arrives there as it was written in JSON")
  void operations_haveJson() {
    Await.get(StateService.expose(vertx, recording, "all", BusScope.LOCAL));
    for (String name : names()) {
      Operation<?> operation = ArgumentRules.build(name, ArgumentRules.usual(name));
      vertx.eventBus().send("all." + name, bodyOf(operation));
      Await.until(() -> recording.count() == 1, name + " arrives");
      assertThat(recording.taken()).containsExactly(operation);
    }
  }

  private static JsonObject bodyOf(Operation<?> operation) {
    Map<String, Object> usual = ArgumentRules.usual(operation.name());
    JsonObject body = new JsonObject();
    usual.forEach((name, value) -> body.put(name, ArgumentRules.toJson(value)));
    return body;
  }

  private static List<String> names() {
    return OperationCatalog.all().stream().map(OperationType::name).toList();
  }
}
