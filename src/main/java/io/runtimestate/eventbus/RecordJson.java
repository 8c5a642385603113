package io.runtimestate.eventbus;

import io.runtimestate.data.LockLease;
import io.runtimestate.operation.Default;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Derives the JSON form of operations, parts and results from their Java types, once per class.
 *
 * <p>A type that cannot be derived is a defect of the library and found by a test that walks the
 * catalogue.
 */
final class RecordJson {
  /**
   * Types that are neither leaves nor records: the names of the properties that make them up. Each
   * has a getter of that name, and a public constructor takes them all in this order.
   */
  private static final Map<Class<?>, List<String>> PROPERTIES =
      Map.of(LockLease.class, List.of("key", "owner", "token", "fencingToken", "ttl"));

  private static final ClassValue<JsonForm> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected JsonForm computeValue(Class<?> type) {
          return derive(type);
        }
      };

  private RecordJson() {}

  /** The form of a type. */
  static JsonForm of(Type type) {
    if (type instanceof Class<?> plain) {
      return BY_CLASS.get(plain);
    }
    if (type instanceof ParameterizedType parameterized) {
      return container(parameterized);
    }
    throw underivable(type);
  }

  /** The form of a class that is not a record, by the names of its properties. */
  static ObjectForm ofProperties(Class<?> type, List<String> names) {
    List<ObjectForm.Field> fields = new ArrayList<>();
    List<Class<?>> types = new ArrayList<>();
    for (String name : names) {
      Method getter = getter(type, name);
      types.add(getter.getReturnType());
      fields.add(field(name, getter.getGenericReturnType(), null, getter));
    }
    return new ObjectForm(null, fields, constructor(type, types));
  }

  private static JsonForm container(ParameterizedType type) {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) {
      return ContainerForms.optional(of(arguments[0]));
    }
    if (type.getRawType() == List.class) {
      return ContainerForms.list(of(arguments[0]));
    }
    if (type.getRawType() == Map.class) {
      return ContainerForms.map(of(arguments[0]), of(arguments[1]));
    }
    throw underivable(type);
  }

  private static JsonForm derive(Class<?> type) {
    JsonForm leaf = LeafForms.of(type);
    if (leaf != null) {
      return leaf;
    }
    if (type.isRecord()) {
      return record(type, null);
    }
    if (type.isSealed()) {
      return new SealedForm(cases(type));
    }
    if (PROPERTIES.containsKey(type)) {
      return ofProperties(type, PROPERTIES.get(type));
    }
    throw underivable(type);
  }

  private static ObjectForm record(Class<?> type, String tag) {
    List<ObjectForm.Field> fields = new ArrayList<>();
    List<Class<?>> types = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      types.add(component.getType());
      fields.add(
          field(
              component.getName(),
              component.getGenericType(),
              absent(component),
              component.getAccessor()));
    }
    return new ObjectForm(tag, fields, constructor(type, types));
  }

  private static Map<Class<?>, ObjectForm> cases(Class<?> sealed) {
    Map<Class<?>, ObjectForm> cases = new LinkedHashMap<>();
    for (Class<?> each : sealed.getPermittedSubclasses()) {
      if (each.isRecord()) {
        cases.put(each, record(each, lowerCamel(each.getSimpleName())));
      } else if (each.isSealed()) {
        cases.putAll(cases(each));
      } else {
        throw underivable(each);
      }
    }
    return cases;
  }

  private static ObjectForm.Field field(String name, Type type, Object absent, Method getter) {
    try {
      MethodHandle handle = ObjectForm.lookup().unreflect(getter);
      JsonForm form = of(type);
      if (absent != null) {
        form.read(absent);
      }
      return new ObjectForm.Field(
          name, form, absent, handle.asType(MethodType.genericMethodType(1)));
    } catch (IllegalAccessException hidden) {
      throw new IllegalStateException(hidden);
    }
  }

  private static MethodHandle constructor(Class<?> type, List<Class<?>> arguments) {
    try {
      return ObjectForm.lookup()
          .findConstructor(type, MethodType.methodType(void.class, arguments));
    } catch (ReflectiveOperationException missing) {
      throw new IllegalStateException(missing);
    }
  }

  private static Method getter(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(name) && method.getParameterCount() == 0)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(type + " has no " + name + "()"));
  }

  /** A default that is no JSON literal is a text written without its quotes. */
  private static Object absent(RecordComponent component) {
    Default given = component.getAnnotation(Default.class);
    try {
      return given == null ? null : Json.decodeValue(given.value());
    } catch (DecodeException unquoted) {
      return given.value();
    }
  }

  private static String lowerCamel(String name) {
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  private static IllegalStateException underivable(Type type) {
    return new IllegalStateException("no JSON form can be derived for " + type.getTypeName());
  }
}
