package io.runtimestate.model;

import io.runtimestate.operation.Operation;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Histories for people to read. Operations themselves print nothing but their name. */
final class Script {
  private Script() {}

  static String line(Operation<?> operation) {
    return operation.name() + fields(operation);
  }

  private static String fields(Object of) {
    return Arrays.stream(of.getClass().getRecordComponents())
        .map(component -> component.getName() + "=" + text(read(component, of)))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /** What an answer or an argument looks like. */
  static String text(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.map(Script::text).orElse("-");
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Script::text).toList().toString();
    }
    if (value instanceof String text) {
      return '"' + text.replace("\0", "\\0") + '"';
    }
    if (value instanceof Duration duration) {
      return duration.toMillis() + " ms";
    }
    return value instanceof Record ? value.getClass().getSimpleName() + fields(value) : "" + value;
  }

  private static Object read(RecordComponent component, Object of) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
