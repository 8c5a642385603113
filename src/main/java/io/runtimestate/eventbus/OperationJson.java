package io.runtimestate.eventbus;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * The JSON of one operation's calls and answers. Derived when it is first used: deriving all of
 * them at once would hold up an event loop.
 */
final class OperationJson {
  private static final String RESULT = "result";

  private static final ClassValue<OperationJson> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected OperationJson computeValue(Class<?> recordClass) {
          return OperationCatalog.all().stream()
              .filter(type -> type.recordClass() == recordClass)
              .map(OperationJson::new)
              .findFirst()
              .orElseThrow();
        }
      };

  private final String name;
  private final JsonForm call;
  private final JsonForm result;

  private OperationJson(OperationType type) {
    name = type.name();
    call = RecordJson.of(type.recordClass());
    result = RecordJson.of(type.resultType());
  }

  static OperationJson of(OperationType type) {
    return BY_CLASS.get(type.recordClass());
  }

  JsonObject writeCall(Operation<?> operation) {
    return (JsonObject) call.write(operation);
  }

  /**
   * Builds the operation, and so checks it.
   *
   * @throws RuntimeStateException INVALID_INPUT naming the field
   */
  Operation<?> readCall(Object body) {
    try {
      return (Operation<?>) call.read(body);
    } catch (Mismatch mismatch) {
      throw new RuntimeStateException(
          FailureCode.INVALID_INPUT, name + ": " + mismatch.text("the body"));
    }
  }

  JsonObject writeReply(Object value) {
    return new JsonObject().put(RESULT, result.write(value));
  }

  /**
   * @throws RuntimeException if the reply is not what {@link #writeReply} writes
   */
  Object readReply(Object body) {
    Map<?, ?> reply = ContainerForms.object(body);
    if (!reply.containsKey(RESULT)) {
      throw new Mismatch("is required").in(RESULT);
    }
    return result.read(reply.get(RESULT));
  }
}
