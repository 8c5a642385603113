package io.runtimestate.operation;

import io.runtimestate.data.LockLease;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Makes records whose every text begins with a marker, to see where texts turn up. */
public final class Marked {
  /** Texts that must have a form of their own, by component. */
  private static final Map<String, String> FORMS = Map.of("id", "1-1", "start", "0-0");

  private final String marker;

  public Marked(String marker) {
    this.marker = marker;
  }

  public Object make(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    try {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Object[] values =
          Arrays.stream(components).map(each -> make(each.getGenericType(), each)).toArray();
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(type + " cannot be made of marked texts", impossible);
    }
  }

  static Object read(RecordComponent component, Object of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private Object make(Type type, RecordComponent component) {
    if (type instanceof ParameterizedType parameterized) {
      return container(parameterized, component);
    }
    if (type == String.class) {
      return FORMS.getOrDefault(component.getName(), marker + text(component));
    }
    Class<?> plain = (Class<?>) type;
    if (plain == LockLease.class) {
      return new LockLease(
          marker + "key", marker + "owner", marker + "token", 1, Duration.ofSeconds(1));
    }
    if (plain.isRecord()) {
      return make(plain);
    }
    return plain.isEnum() ? plain.getEnumConstants()[0] : number(plain, component);
  }

  /** A token begins with its holder, which is the owner of a lock or the gate of a semaphore. */
  private static String text(RecordComponent component) {
    if (!component.getName().equals("token")) {
      return component.getName();
    }
    boolean ofLock = component.getDeclaringRecord().getEnclosingClass() == LockOperation.class;
    return (ofLock ? "owner" : "gate") + ":1";
  }

  private Object container(ParameterizedType type, RecordComponent component) {
    Type[] parts = type.getActualTypeArguments();
    Object first = make(parts[0], component);
    if (type.getRawType() == Optional.class) {
      return Optional.of(first);
    }
    return type.getRawType() == List.class
        ? List.of(first)
        : Map.of(first, make(parts[1], component));
  }

  private static Object number(Class<?> type, RecordComponent component) {
    Map<Class<?>, Object> numbers =
        Map.of(
            long.class,
            1L,
            int.class,
            1,
            double.class,
            1.0,
            boolean.class,
            false,
            Duration.class,
            Duration.ofSeconds(1),
            OptionalLong.class,
            OptionalLong.of(1),
            OptionalInt.class,
            OptionalInt.of(1),
            OptionalDouble.class,
            OptionalDouble.of(1));
    Object number = numbers.get(type);
    if (number == null) {
      throw new AssertionError("teach Marked the type of " + component);
    }
    return number;
  }
}
