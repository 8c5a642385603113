package io.runtimestate.config;

import io.vertx.core.json.JsonObject;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One line of a section's table: a property of the section {@code S} and what type it has.
 *
 * @param nullIsValue whether null differs from the default and therefore is written and read as
 *     JSON null; otherwise JSON null means absent
 */
record Option<S, V>(
    String name, Kind<V> kind, Function<S, V> get, BiConsumer<S, V> set, boolean nullIsValue) {

  static <S, V> Option<S, V> of(
      String name, Kind<V> kind, Function<S, V> get, BiConsumer<S, V> set) {
    return new Option<>(name, kind, get, set, false);
  }

  Option<S, V> withNull() {
    return new Option<>(name, kind, get, set, true);
  }

  void read(String path, JsonObject json, S target) {
    Object value = json.getValue(name);
    if (value != null) {
      set.accept(target, kind.read().apply(path + name, value));
    } else if (nullIsValue && json.containsKey(name)) {
      set.accept(target, null);
    }
  }

  void write(S source, boolean secrets, JsonObject json) {
    V value = get.apply(source);
    Object written = value == null ? null : write(value, secrets);
    if (written != null || value == null && nullIsValue) {
      json.put(name, written);
    }
  }

  private Object write(V value, boolean secrets) {
    return (secrets ? kind.write() : kind.show()).apply(value);
  }

  void copy(S source, S target) {
    V value = get.apply(source);
    set.accept(target, value == null ? null : kind.copy().apply(value));
  }

  Object identity(S source) {
    V value = get.apply(source);
    return value == null ? null : kind.identity().apply(value);
  }
}
