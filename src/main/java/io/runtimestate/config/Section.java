package io.runtimestate.config;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The table of a section's options, and everything that follows from it. */
final class Section<S> {
  private final String path;
  private final List<Option<S, ?>> options;
  private final Set<String> names;

  /**
   * @param path what stands before an option's name in messages: empty, or the section's name and a
   *     dot
   */
  @SafeVarargs
  @SuppressWarnings("varargs")
  Section(String path, Option<S, ?>... options) {
    this.path = path;
    this.options = List.of(options);
    this.names = this.options.stream().map(Option::name).collect(Collectors.toUnmodifiableSet());
  }

  void read(JsonObject json, S target) {
    requireKnown(json);
    options.forEach(option -> option.read(path, json, target));
  }

  JsonObject write(S source, boolean secrets) {
    JsonObject json = new JsonObject();
    options.forEach(option -> option.write(source, secrets, json));
    return json;
  }

  void copy(S source, S target) {
    options.forEach(option -> option.copy(source, target));
  }

  /** What equality and the hash code compare: the values in the table's order. */
  List<Object> identity(S source) {
    List<Object> values = new ArrayList<>();
    options.forEach(option -> values.add(option.identity(source)));
    return values;
  }

  private void requireKnown(JsonObject json) {
    List<String> unknown =
        json.fieldNames().stream().filter(name -> !names.contains(name)).toList();
    if (!unknown.isEmpty()) {
      throw Rules.unknownNames(path, unknown);
    }
  }
}
