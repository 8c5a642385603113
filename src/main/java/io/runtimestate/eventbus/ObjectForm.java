package io.runtimestate.eventbus;

import io.vertx.core.json.JsonObject;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A JSON object with a fixed set of fields. */
final class ObjectForm implements JsonForm {
  /** The field that tells the cases of a sealed type apart. */
  static final String TYPE = "type";

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final Pattern HARMLESS_NAME = Pattern.compile("[A-Za-z0-9_.]{1,64}");

  private final String tag;
  private final Field[] fields;
  private final Map<Object, Integer> positions = new HashMap<>();
  private final MethodHandle constructor;

  /**
   * One field.
   *
   * @param absent the JSON it is read as when it is missing; usually null
   * @param getter of (Object)Object
   */
  record Field(String name, JsonForm form, Object absent, MethodHandle getter) {
    Object get(Object owner) {
      try {
        return (Object) getter.invokeExact(owner);
      } catch (Throwable thrown) {
        throw unchecked(thrown);
      }
    }

    Object read(Object json) {
      try {
        return form.read(json == null ? absent : json);
      } catch (Mismatch mismatch) {
        throw mismatch.in(name);
      }
    }
  }

  /**
   * @param tag the value of {@link #TYPE}; null for an object that has no such field
   * @param constructor of the fields' values, in their order
   */
  ObjectForm(String tag, List<Field> fields, MethodHandle constructor) {
    this.tag = tag;
    this.fields = fields.toArray(Field[]::new);
    this.constructor =
        constructor
            .asType(MethodType.genericMethodType(fields.size()))
            .asSpreader(Object[].class, fields.size());
    for (Field field : fields) {
      positions.put(field.name(), positions.size());
    }
    if (tag != null && positions.put(TYPE, fields.size()) != null) {
      throw new IllegalStateException("a case of a sealed type has a field called " + TYPE);
    }
  }

  /** The handles of this package's lookup, which sees all public records of the library. */
  static MethodHandles.Lookup lookup() {
    return LOOKUP;
  }

  String tag() {
    return tag;
  }

  @Override
  public Object write(Object value) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (tag != null) {
      json.put(TYPE, tag);
    }
    for (Field field : fields) {
      json.put(field.name(), field.form().write(field.get(value)));
    }
    return new JsonObject(json);
  }

  @Override
  public Object read(Object json) {
    Object[] values = collect(ContainerForms.object(json));
    for (int i = 0; i < values.length; i++) {
      values[i] = fields[i].read(values[i]);
    }
    return construct(values);
  }

  private Object[] collect(Map<?, ?> json) {
    Object[] values = new Object[fields.length];
    for (Map.Entry<?, ?> entry : json.entrySet()) {
      Integer position = positions.get(entry.getKey());
      if (position == null) {
        throw unknown(json);
      }
      if (position < values.length) {
        values[position] = entry.getValue();
      }
    }
    return values;
  }

  /** A name that could be anything (a key in the wrong place) is counted and not shown. */
  private Mismatch unknown(Map<?, ?> json) {
    List<String> unknown =
        json.keySet().stream()
            .filter(name -> !positions.containsKey(name))
            .map(String::valueOf)
            .toList();
    String first = unknown.get(0);
    return HARMLESS_NAME.matcher(first).matches()
        ? new Mismatch("is an unknown field").in(first)
        : new Mismatch("has unknown fields: " + unknown.size());
  }

  private Object construct(Object[] values) {
    try {
      return (Object) constructor.invokeExact(values);
    } catch (Throwable thrown) {
      throw unchecked(thrown);
    }
  }

  private static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
  }
}
