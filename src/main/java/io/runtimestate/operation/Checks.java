package io.runtimestate.operation;

import io.runtimestate.data.Blank;
import io.runtimestate.data.Durations;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Fields;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.Utf8;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Every argument rule and every message about one. Messages name the operation, the argument and
 * the rule, never the value.
 */
final class Checks {
  static final int MAX_TEXT_BYTES = 64 << 20;
  static final int MAX_KEY_BYTES = 65_536;
  static final int MAX_TOKEN_BYTES = MAX_KEY_BYTES + 37; // an owner of any legal length, and a uuid
  static final int MAX_LIST = 100_000;
  static final int MAX_COUNT = 10_000;
  static final long MAX_EXACT = (1L << 53) - 1;

  private Checks() {}

  /** The name of an element of a list; joined only when a message names it. */
  private record Element(Object list, int index) {
    @Override
    public String toString() {
      return list + "[" + index + "]";
    }
  }

  /** The name of a part of an argument; joined only when a message names it. */
  private record Part(Object of, String suffix) {
    @Override
    public String toString() {
      return of + suffix;
    }
  }

  static Object part(Object of, String suffix) {
    return new Part(of, suffix);
  }

  /** Checks one element of a list and returns its normal form; {@code what} names its index. */
  interface ElementCheck<T> {
    T check(Operation<?> operation, Object what, T element);
  }

  static RuntimeStateException invalid(Operation<?> operation, Object what, String rule) {
    return new RuntimeStateException(
        FailureCode.INVALID_INPUT, operation.name() + ": " + what + " " + rule);
  }

  static void require(boolean holds, Operation<?> operation, Object what, String rule) {
    if (!holds) {
      throw invalid(operation, what, rule);
    }
  }

  static <T> T present(Operation<?> operation, Object what, T value) {
    require(value != null, operation, what, "is required");
    return value;
  }

  /** Any well-formed Unicode, at most 64 MiB of UTF-8, possibly empty. */
  static String text(Operation<?> operation, Object what, String value) {
    bytes(operation, what, value, MAX_TEXT_BYTES, "must be at most 64 MiB of UTF-8");
    return value;
  }

  /** A text of 1 to 65 536 bytes. */
  static String key(Operation<?> operation, Object what, String value) {
    int bytes =
        bytes(operation, what, value, MAX_KEY_BYTES, "must be at most 65536 bytes of UTF-8");
    require(bytes > 0, operation, what, "must not be empty");
    return value;
  }

  /** A key that is not blank. */
  static String name(Operation<?> operation, Object what, String value) {
    key(operation, what, value);
    require(!Blank.isBlank(value), operation, what, "must not be blank");
    return value;
  }

  /** The identity of a lease or permit. */
  static String token(Operation<?> operation, Object what, String value) {
    bytes(operation, what, value, MAX_TOKEN_BYTES, "must be at most 65573 bytes of UTF-8");
    require(!Blank.isBlank(value), operation, what, "must not be blank");
    return value;
  }

  /** The given token, which must show whose it is, or a new one. */
  static Optional<String> tokenOf(Operation<?> operation, String holder, Optional<String> value) {
    if (value == null || value.isEmpty()) {
      return Optional.of(Tokens.next(holder));
    }
    String token = token(operation, "token", value.get());
    boolean own =
        token.length() > holder.length() + 1
            && token.startsWith(holder)
            && token.charAt(holder.length()) == ':';
    require(own, operation, "token", "must begin with its owner or gate and a colon");
    return value;
  }

  /** A lease as its holder hands it back. */
  static LockLease lease(Operation<?> operation, Object what, LockLease value) {
    present(operation, what, value);
    name(operation, part(what, ".key"), value.key());
    name(operation, part(what, ".owner"), value.owner());
    token(operation, part(what, ".token"), value.token());
    require(value.fencingToken() > 0, operation, part(what, ".fencingToken"), "must be above zero");
    positive(operation, part(what, ".ttl"), value.ttl());
    return value;
  }

  /**
   * The resource of a gate without white space around it and without {@code admission:<gate>:} in
   * front. Until nothing is left to remove: a record read from its own JSON must be equal.
   */
  static Optional<String> resource(Operation<?> operation, String gate, Optional<String> value) {
    if (value == null || value.isEmpty()) {
      return Optional.empty();
    }
    String admission = "admission:" + gate + ":";
    String rest = Blank.trim(text(operation, "resource", value.get()));
    while (rest.startsWith(admission)) {
      rest = Blank.trim(rest.substring(admission.length()));
    }
    require(!rest.isEmpty(), operation, "resource", "must not be blank");
    return Optional.of(key(operation, "resource", rest));
  }

  static Optional<String> optionalName(
      Operation<?> operation, Object what, Optional<String> value) {
    Optional<String> given = orEmpty(value);
    given.ifPresent(text -> name(operation, what, text));
    return given;
  }

  static Optional<String> optionalText(
      Operation<?> operation, Object what, Optional<String> value) {
    Optional<String> given = orEmpty(value);
    given.ifPresent(text -> text(operation, what, text));
    return given;
  }

  /** A duration of at least 1 ms, rounded up to whole milliseconds. */
  static Duration positive(Operation<?> operation, Object what, Duration value) {
    Duration rounded = duration(operation, what, value);
    require(!rounded.isZero(), operation, what, "must be above zero");
    return rounded;
  }

  /** A duration, rounded up to whole milliseconds; zero is allowed. */
  static Duration duration(Operation<?> operation, Object what, Duration value) {
    try {
      return Durations.roundUp(present(operation, what, value));
    } catch (IllegalArgumentException broken) {
      throw invalid(operation, what, broken.getMessage());
    }
  }

  static Optional<Duration> optionalPositive(
      Operation<?> operation, Object what, Optional<Duration> value) {
    return value == null || value.isEmpty()
        ? Optional.empty()
        : sameOr(value, positive(operation, what, value.get()));
  }

  static Optional<Duration> optionalDuration(
      Operation<?> operation, Object what, Optional<Duration> value) {
    return value == null || value.isEmpty()
        ? Optional.empty()
        : sameOr(value, duration(operation, what, value.get()));
  }

  private static Optional<Duration> sameOr(Optional<Duration> given, Duration rounded) {
    return rounded == given.get() ? given : Optional.of(rounded);
  }

  /** An integer within inclusive bounds. */
  static long within(Operation<?> operation, Object what, long value, long min, long max) {
    if (value < min || value > max) {
      throw invalid(operation, what, "must be from " + min + " to " + max);
    }
    return value;
  }

  /** An integer of at least 0, if it is given. */
  static OptionalLong optionalCount(Operation<?> operation, Object what, OptionalLong value) {
    OptionalLong given = value == null ? OptionalLong.empty() : value;
    require(given.orElse(0) >= 0, operation, what, "must not be negative");
    return given;
  }

  /** A finite double; negative zero becomes zero. */
  static double finite(Operation<?> operation, Object what, double value) {
    require(Double.isFinite(value), operation, what, "must be a finite number");
    return value + 0.0;
  }

  /** A double that may be infinite but is a number; negative zero becomes zero. */
  static double bound(Operation<?> operation, Object what, double value) {
    require(!Double.isNaN(value), operation, what, "must be a number");
    return value + 0.0;
  }

  static OptionalDouble optionalBound(Operation<?> operation, Object what, OptionalDouble value) {
    return value == null || value.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(bound(operation, what, value.getAsDouble()));
  }

  /** An integer of at least 1. */
  static OptionalInt optionalPositive(Operation<?> operation, Object what, OptionalInt value) {
    OptionalInt given = value == null ? OptionalInt.empty() : value;
    require(given.isEmpty() || given.getAsInt() >= 1, operation, what, "must be at least 1");
    return given;
  }

  /** Copies a list of at most 100 000 elements, each of them checked under its index. */
  static <T> List<T> list(
      Operation<?> operation, Object what, List<T> value, ElementCheck<T> each) {
    return list(operation, what, value, MAX_LIST, each);
  }

  static <T> List<T> list(
      Operation<?> operation, Object what, List<T> value, int max, ElementCheck<T> each) {
    present(operation, what, value);
    List<T> copy = new ArrayList<>(Math.min(value.size(), max));
    for (T element : value) {
      Object at = new Element(what, copy.size());
      if (copy.size() == max) {
        throw invalid(operation, what, "must have at most " + max + " elements");
      }
      copy.add(each.check(operation, at, present(operation, at, element)));
    }
    return Collections.unmodifiableList(copy);
  }

  /** A non-empty map of texts, copied in byte order of the names; messages name positions. */
  static Map<String, String> fields(
      Operation<?> operation, Object what, Map<String, String> value) {
    List<String> texts = new ArrayList<>(present(operation, what, value).size() * 2);
    for (Map.Entry<String, String> field : value.entrySet()) {
      Object at = new Element(what, texts.size() / 2);
      texts.add(text(operation, part(at, ".name"), field.getKey()));
      texts.add(text(operation, part(at, ".value"), field.getValue()));
    }
    require(!texts.isEmpty(), operation, what, "must not be empty");
    return value instanceof Fields ? value : Fields.ofPairs(texts.toArray(String[]::new));
  }

  /** The same for an entry that is appended in one step with something else. */
  static Map<String, String> fieldsInStep(
      Operation<?> operation, Object what, Map<String, String> value) {
    Map<String, String> fields = fields(operation, what, value);
    boolean few = fields.size() <= QueueOperation.MAX_FIELDS;
    require(few, operation, what, "must be at most " + QueueOperation.MAX_FIELDS + " here");
    return fields;
  }

  /** The id of an entry in canonical form. */
  static String entryId(Operation<?> operation, Object what, String value) {
    boolean canonical = EntryId.parse(present(operation, what, value)) != null;
    require(canonical, operation, what, "must be an id: two 64-bit numbers with a dash between");
    return value;
  }

  /** An id, or the first half of one; null means the beginning. */
  static String start(Operation<?> operation, Object what, String value) {
    EntryId id = value == null ? EntryId.ZERO : EntryId.parseStart(value);
    require(id != null, operation, what, "must be an id or its first half");
    return id.toString();
  }

  static <T> Optional<T> orEmpty(Optional<T> value) {
    return value == null ? Optional.empty() : value;
  }

  private static int bytes(
      Operation<?> operation, Object what, String value, int max, String rule) {
    present(operation, what, value);
    require(value.length() <= max, operation, what, rule);
    int bytes = Utf8.length(value);
    require(bytes >= 0, operation, what, "must not contain an unpaired surrogate");
    require(bytes <= max, operation, what, rule);
    return bytes;
  }
}
