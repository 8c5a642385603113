package io.runtimestate.eventbus;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The types that hold others: optionals, lists, maps. */
final class ContainerForms {
  private ContainerForms() {}

  static JsonForm optional(JsonForm element) {
    return JsonForm.of(
        value ->
            ((Optional<?>) value).isEmpty() ? null : element.write(((Optional<?>) value).get()),
        json -> json == null ? Optional.empty() : Optional.of(element.read(json)));
  }

  static JsonForm list(JsonForm element) {
    return JsonForm.of(
        value -> writeList(element, (List<?>) value), json -> readList(element, array(json)));
  }

  /** A map in its own order; its keys are texts or the names of an enum. */
  static JsonForm map(JsonForm key, JsonForm value) {
    return JsonForm.of(
        map -> writeMap(key, value, (Map<?, ?>) map), json -> readMap(key, value, object(json)));
  }

  /** The fields of a JSON object. */
  static Map<?, ?> object(Object json) {
    if (json instanceof JsonObject object) {
      return object.getMap();
    }
    if (json instanceof Map<?, ?> map) {
      return map;
    }
    throw new Mismatch(json == null ? "is required" : "must be an object");
  }

  private static List<?> array(Object json) {
    if (json instanceof JsonArray array) {
      return array.getList();
    }
    if (json instanceof List<?> list) {
      return list;
    }
    throw new Mismatch(json == null ? "is required" : "must be an array");
  }

  private static JsonArray writeList(JsonForm element, List<?> values) {
    List<Object> json = new ArrayList<>(values.size());
    for (Object value : values) {
      json.add(element.write(value));
    }
    return new JsonArray(json);
  }

  private static List<?> readList(JsonForm element, List<?> json) {
    List<Object> values = new ArrayList<>(json.size());
    for (Object each : json) {
      try {
        values.add(element.read(each));
      } catch (Mismatch mismatch) {
        throw mismatch.in(index(values.size()));
      }
    }
    return Collections.unmodifiableList(values);
  }

  private static JsonObject writeMap(JsonForm key, JsonForm value, Map<?, ?> values) {
    Map<String, Object> json = new LinkedHashMap<>();
    values.forEach((name, each) -> json.put((String) key.write(name), value.write(each)));
    return new JsonObject(json);
  }

  private static Map<?, ?> readMap(JsonForm key, JsonForm value, Map<?, ?> json) {
    Map<Object, Object> values = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : json.entrySet()) {
      try {
        values.put(key.read(entry.getKey()), value.read(entry.getValue()));
      } catch (Mismatch mismatch) {
        // The position, because the names are the caller's texts.
        throw mismatch.in(index(values.size()));
      }
    }
    return Collections.unmodifiableMap(values);
  }

  private static String index(int at) {
    return "[" + at + "]";
  }
}
