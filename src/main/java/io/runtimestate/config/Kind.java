package io.runtimestate.config;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A type of option: how it is read from JSON, written to it, shown and copied.
 *
 * @param read from the option's dotted name and a JSON value that is not null; the name goes into
 *     the failure
 * @param write the complete JSON value
 * @param show the JSON value without secrets; null leaves the option out
 * @param identity what equality compares
 */
record Kind<V>(
    BiFunction<String, Object, V> read,
    Function<V, Object> write,
    Function<V, Object> show,
    UnaryOperator<V> copy,
    Function<V, Object> identity) {

  static final Kind<Boolean> FLAG =
      plain((name, json) -> read(name, json, Boolean.class, "a boolean"));
  static final Kind<Long> LONG =
      plain((name, json) -> integer(name, json, Long.MIN_VALUE, Long.MAX_VALUE));
  static final Kind<Integer> INT =
      plain((name, json) -> (int) integer(name, json, Integer.MIN_VALUE, Integer.MAX_VALUE));
  static final Kind<String> TEXT = plain(Kind::text);
  static final Kind<String> SECRET = TEXT.showing(secret -> null);
  static final Kind<String> PREFIX = TEXT.showing(Texts::lengthOf);
  static final Kind<String> URL = TEXT.showing(RedisUrl::display);
  static final Kind<List<String>> URLS =
      new Kind<>(
          Kind::texts,
          Kind::array,
          urls -> array(urls.stream().map(RedisUrl::display).toList()),
          v -> v,
          v -> v);
  static final Kind<Duration> DURATION =
      new Kind<>(
          (name, json) -> Duration.ofMillis(LONG.read.apply(name, json)),
          Millis::of,
          Millis::of,
          v -> v,
          v -> v);
  static final Kind<ClientSSLOptions> TLS =
      new Kind<>(
          (name, json) -> TlsJson.read(name, object(name, json)),
          TlsJson::write,
          ClientSSLOptions::toJson,
          ClientSSLOptions::copy,
          TlsJson::identity);

  private static <V> Kind<V> plain(BiFunction<String, Object, V> read) {
    return new Kind<>(read, v -> v, v -> v, v -> v, v -> v);
  }

  static <E extends Enum<E>> Kind<E> words(Class<E> type) {
    return words(
        (name, json) ->
            Words.find(type, text(name, json))
                .orElseThrow(() -> Rules.unknownWord(name, Words.all(type))));
  }

  static <E extends Enum<E>> Kind<E> words(BiFunction<String, Object, E> read) {
    return new Kind<>(read, Words::of, Words::of, v -> v, v -> v);
  }

  static <S> Kind<S> section(
      Section<S> section, Function<JsonObject, S> read, UnaryOperator<S> copy) {
    return new Kind<>(
        (name, json) -> read.apply(object(name, json)),
        options -> section.write(options, true),
        options -> section.write(options, false),
        copy,
        options -> options);
  }

  private Kind<V> showing(Function<V, Object> newShow) {
    return new Kind<>(read, write, newShow, copy, identity);
  }

  static String text(String name, Object json) {
    return read(name, json, String.class, "a string");
  }

  static JsonObject object(String name, Object json) {
    return read(name, json, JsonObject.class, "an object");
  }

  private static List<String> texts(String name, Object json) {
    JsonArray array = read(name, json, JsonArray.class, "an array of strings");
    return array.stream().map(element -> text(name + "[]", element)).toList();
  }

  private static Object array(List<String> texts) {
    return texts.isEmpty() ? null : new JsonArray(texts);
  }

  private static long integer(String name, Object json, long min, long max) {
    return Optional.of(json)
        .filter(Kind::isIntegral)
        .map(number -> ((Number) number).longValue())
        .filter(value -> value >= min && value <= max)
        .orElseThrow(() -> Rules.wrongType(name, "an integer of at most " + max));
  }

  private static boolean isIntegral(Object json) {
    return json instanceof Integer
        || json instanceof Long
        || json instanceof Short
        || json instanceof Byte;
  }

  private static <T> T read(String name, Object json, Class<T> type, String expected) {
    if (!type.isInstance(json)) {
      throw Rules.wrongType(name, expected);
    }
    return type.cast(json);
  }
}
