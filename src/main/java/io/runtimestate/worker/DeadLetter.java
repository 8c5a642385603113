package io.runtimestate.worker;

import io.runtimestate.data.QueueEntry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The form of a dead letter: where it comes from, why, and the original fields under names of their
 * own, so that it can be put back.
 */
final class DeadLetter {
  /** The error of an entry whose handlers never came to an end. */
  static final String EXHAUSTED = "deliveries exhausted";

  private static final String SOURCE = "source";
  private static final String FIELD = "field.";

  private DeadLetter() {}

  /**
   * @param deliveries how often a handler was called with the entry
   */
  static Map<String, String> of(
      WorkerSettings settings, QueueEntry entry, long deliveries, String error) {
    Map<String, String> fields = new LinkedHashMap<>();
    entry.fields().forEach((name, value) -> fields.put(FIELD + name, value));
    fields.put(SOURCE, settings.stream());
    fields.put("group", settings.group());
    fields.put("id", entry.id());
    fields.put("deliveries", Long.toString(deliveries));
    fields.put("error", error);
    return fields;
  }

  /** The stream it came from; absent if it is no dead letter. */
  static Optional<String> source(QueueEntry letter) {
    return Optional.ofNullable(letter.fields().get(SOURCE));
  }

  /** The original fields. */
  static Map<String, String> original(QueueEntry letter) {
    Map<String, String> fields = new LinkedHashMap<>();
    letter
        .fields()
        .forEach(
            (name, value) -> {
              if (name.startsWith(FIELD)) {
                fields.put(name.substring(FIELD.length()), value);
              }
            });
    return fields;
  }
}
