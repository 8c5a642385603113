package io.runtimestate.eventbus;

import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Makes instances of any type of the catalogue, in variants: with and without optional parts, each
 * case of sealed types, both truth values.
 */
public final class Samples {
  private static final int VARIANTS = 16;

  /** Texts that must have a form of their own, by the name of the component. */
  private static final Map<String, String> TEXTS = Map.of("id", "7-1", "start", "0-0");

  private final int variant;
  private int made;

  private Samples(int variant) {
    this.variant = variant;
  }

  /** Operations of a type; variants that break a rule are left out, but one must be valid. */
  public static List<Operation<?>> operations(OperationType type) {
    List<Operation<?>> valid = new ArrayList<>();
    RuntimeStateException refused = null;
    for (int variant = 0; variant < VARIANTS; variant++) {
      try {
        valid.add((Operation<?>) new Samples(variant).of(type.recordClass(), ""));
      } catch (RuntimeStateException broken) {
        refused = broken;
      }
    }
    if (valid.isEmpty()) {
      throw new AssertionError("Samples makes no valid " + type.name(), refused);
    }
    return valid;
  }

  /** Results of a type. */
  static List<Object> results(Type type) {
    List<Object> results = new ArrayList<>();
    for (int variant = 0; variant < VARIANTS; variant++) {
      results.add(new Samples(variant).of(type, ""));
    }
    return results;
  }

  private Object of(Type type, String name) {
    if (type instanceof ParameterizedType parameterized) {
      return container(parameterized, name);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isEnum()) {
      return plain.getEnumConstants()[variant % plain.getEnumConstants().length];
    }
    if (plain.isRecord()) {
      return record(plain);
    }
    if (plain.isSealed()) {
      Class<?>[] cases = plain.getPermittedSubclasses();
      return of(cases[variant % cases.length], name);
    }
    return leaf(plain, name);
  }

  private Object container(ParameterizedType type, String name) {
    Type[] parts = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) {
      return isRich() ? Optional.of(of(parts[0], name)) : Optional.empty();
    }
    if (type.getRawType() == List.class) {
      return List.of(of(parts[0], name), of(parts[0], name));
    }
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put(of(parts[0], name), of(parts[1], name));
    return map;
  }

  private Object leaf(Class<?> type, String name) {
    made++;
    if (type == String.class) {
      return TEXTS.getOrDefault(name, "{sample}-é\u0000\"" + made);
    }
    if (type == boolean.class || type == Boolean.class) {
      return variant / 2 % 2 == 0;
    }
    if (type == Duration.class) {
      return Duration.ofMillis(1_000 + made);
    }
    if (type == Void.class) {
      return null;
    }
    return number(type);
  }

  private Object number(Class<?> type) {
    if (type == long.class || type == Long.class) {
      return variant / 4 % 2 == 0 ? 1L : Long.MAX_VALUE - made;
    }
    if (type == int.class || type == Integer.class) {
      return 1;
    }
    if (type == double.class || type == Double.class) {
      return variant / 4 % 2 == 0 ? 1.5 : 1e300;
    }
    if (type == BigInteger.class) {
      return BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    }
    return optionalNumber(type);
  }

  private Object optionalNumber(Class<?> type) {
    if (type == OptionalLong.class) {
      return isRich() ? OptionalLong.of(Long.MAX_VALUE) : OptionalLong.empty();
    }
    if (type == OptionalInt.class) {
      return isRich() ? OptionalInt.of(1) : OptionalInt.empty();
    }
    if (type == OptionalDouble.class) {
      return isRich() ? OptionalDouble.of(0.5) : OptionalDouble.empty();
    }
    return viaConstructor(type);
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values =
        Arrays.stream(components)
            .map(component -> of(component.getGenericType(), component.getName()))
            .toArray();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return make(type.getDeclaredConstructor(types), values);
    } catch (NoSuchMethodException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private Object viaConstructor(Class<?> type) {
    Constructor<?> constructor = type.getConstructors()[0];
    Object[] values =
        Arrays.stream(constructor.getParameters())
            .map(parameter -> of(parameter.getParameterizedType(), parameter.getName()))
            .toArray();
    return make(constructor, values);
  }

  private static Object make(Constructor<?> constructor, Object[] values) {
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException thrown) {
      if (thrown.getCause() instanceof RuntimeStateException refused) {
        throw refused;
      }
      throw new AssertionError(constructor.toString(), thrown);
    }
  }

  private boolean isRich() {
    return variant % 2 == 0;
  }
}
