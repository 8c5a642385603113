package io.runtimestate.eventbus;

import io.runtimestate.data.Durations;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.EncodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The types without parts. */
final class LeafForms {
  private static final UnaryOperator<Object> AS_IT_IS = value -> value;
  private static final Pattern DECIMAL = Pattern.compile("0|-?[1-9][0-9]*");
  private static final int MAX_DIGITS = 40;
  private static final int LONG_BITS = 63;
  private static final String POSITIVE_INFINITY = "+inf";
  private static final String NEGATIVE_INFINITY = "-inf";

  private static final Map<Class<?>, JsonForm> ALL = all();

  private LeafForms() {}

  /** The form of a leaf type; null for any other type. */
  static JsonForm of(Class<?> type) {
    return type.isEnum() ? enumForm(type) : ALL.get(type);
  }

  private static Map<Class<?>, JsonForm> all() {
    Map<Class<?>, JsonForm> all = new HashMap<>();
    both(all, long.class, Long.class, JsonForm.of(AS_IT_IS, LeafForms::integer));
    both(all, int.class, Integer.class, JsonForm.of(AS_IT_IS, LeafForms::shortInteger));
    both(all, double.class, Double.class, JsonForm.of(LeafForms::numberJson, LeafForms::number));
    both(all, boolean.class, Boolean.class, JsonForm.of(AS_IT_IS, LeafForms::truth));
    all.put(String.class, JsonForm.of(AS_IT_IS, LeafForms::text));
    all.put(Void.class, JsonForm.of(value -> null, LeafForms::nothing));
    all.put(BigInteger.class, JsonForm.of(Object::toString, LeafForms::bigInteger));
    all.put(
        Duration.class, JsonForm.of(LeafForms::millis, json -> Duration.ofMillis(integer(json))));
    optionals(all);
    return Map.copyOf(all);
  }

  private static void optionals(Map<Class<?>, JsonForm> all) {
    all.put(
        OptionalLong.class,
        JsonForm.of(
            value -> ((OptionalLong) value).isEmpty() ? null : ((OptionalLong) value).getAsLong(),
            json -> json == null ? OptionalLong.empty() : OptionalLong.of(integer(json))));
    all.put(
        OptionalInt.class,
        JsonForm.of(
            value -> ((OptionalInt) value).isEmpty() ? null : ((OptionalInt) value).getAsInt(),
            json -> json == null ? OptionalInt.empty() : OptionalInt.of(shortInteger(json))));
    all.put(
        OptionalDouble.class,
        JsonForm.of(
            value ->
                ((OptionalDouble) value).isEmpty()
                    ? null
                    : numberJson(((OptionalDouble) value).getAsDouble()),
            json -> json == null ? OptionalDouble.empty() : OptionalDouble.of(number(json))));
  }

  private static void both(
      Map<Class<?>, JsonForm> all, Class<?> primitive, Class<?> boxed, JsonForm form) {
    all.put(primitive, form);
    all.put(boxed, form);
  }

  private static JsonForm enumForm(Class<?> type) {
    Map<String, Object> constants = new HashMap<>();
    for (Object constant : type.getEnumConstants()) {
      constants.put(((Enum<?>) constant).name(), constant);
    }
    return JsonForm.of(value -> ((Enum<?>) value).name(), json -> constant(constants, json));
  }

  private static Object constant(Map<String, Object> constants, Object json) {
    return check(constants.get(text(json)), "is none of the known words");
  }

  private static String text(Object json) {
    if (plain(json) instanceof String text) {
      return text;
    }
    throw new Mismatch("must be a text");
  }

  private static boolean truth(Object json) {
    if (plain(json) instanceof Boolean truth) {
      return truth;
    }
    throw new Mismatch("must be true or false");
  }

  private static Object nothing(Object json) {
    if (json != null) {
      throw new Mismatch("must be null");
    }
    return null;
  }

  private static long integer(Object json) {
    if (json instanceof Long || json instanceof Integer) {
      return ((Number) json).longValue();
    }
    BigInteger integer = bigInteger(json);
    if (integer.bitLength() > LONG_BITS) {
      throw new Mismatch("must be an integer of 64 bits");
    }
    return integer.longValue();
  }

  private static int shortInteger(Object json) {
    long integer = integer(json);
    if ((int) integer != integer) {
      throw new Mismatch("must be an integer of 32 bits");
    }
    return (int) integer;
  }

  /** Accepts decimal text too: JavaScript has no 64-bit integers. */
  private static BigInteger bigInteger(Object json) {
    Object plain = plain(json);
    if (plain instanceof BigInteger integer) {
      return integer;
    }
    if (plain instanceof Integer || plain instanceof Long) {
      return BigInteger.valueOf(((Number) plain).longValue());
    }
    if (plain instanceof String text && isDecimal(text)) {
      return new BigInteger(text);
    }
    throw new Mismatch("must be an integer");
  }

  private static boolean isDecimal(String text) {
    return text.length() <= MAX_DIGITS && DECIMAL.matcher(text).matches();
  }

  private static double number(Object json) {
    Object plain = plain(json);
    if (plain instanceof Number number && Double.isFinite(number.doubleValue())) {
      return number.doubleValue();
    }
    if (POSITIVE_INFINITY.equals(plain)) {
      return Double.POSITIVE_INFINITY;
    }
    if (NEGATIVE_INFINITY.equals(plain)) {
      return Double.NEGATIVE_INFINITY;
    }
    throw new Mismatch("must be a number, \"+inf\" or \"-inf\"");
  }

  private static Object numberJson(Object value) {
    double number = (Double) value;
    if (Double.isNaN(number)) {
      throw new IllegalStateException("NaN has no JSON form");
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? POSITIVE_INFINITY : NEGATIVE_INFINITY;
    }
    return value;
  }

  private static Object millis(Object value) {
    return Durations.roundUp((Duration) value).toMillis();
  }

  /**
   * A JSON object may hold instants, bytes, decimals and more, which become text or numbers only
   * when it crosses a wire; they mean the same when it did not.
   */
  private static Object plain(Object json) {
    check(json, "is required");
    return isPlain(json) ? json : throughText(json);
  }

  private static boolean isPlain(Object json) {
    return json instanceof String
        || json instanceof Integer
        || json instanceof Long
        || json instanceof Double number && Double.isFinite(number)
        || json instanceof Boolean
        || json instanceof BigInteger
        || json instanceof JsonObject
        || json instanceof JsonArray
        || json instanceof Map
        || json instanceof List;
  }

  private static Object throughText(Object json) {
    try {
      return Json.decodeValue(Json.encode(json));
    } catch (EncodeException | DecodeException broken) {
      throw new Mismatch("has no JSON form");
    }
  }

  private static Object check(Object value, String rule) {
    if (value == null) {
      throw new Mismatch(rule);
    }
    return value;
  }
}
