package io.runtimestate.redis;

import io.runtimestate.data.KeyTtl;
import io.runtimestate.data.ScoredMember;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The only place that reads replies, in RESP2 and in RESP3. A reply of an unexpected shape is an
 * {@link IllegalArgumentException}, from which the caller makes a failure. Bytes that are not UTF-8
 * become U+FFFD; nothing is dropped for them.
 */
final class Replies {
  private static final Pattern COUNT = Pattern.compile("0|[1-9][0-9]{0,18}");

  private Replies() {}

  private static void require(boolean expected) {
    if (!expected) {
      throw new IllegalArgumentException("unexpected reply");
    }
  }

  private static boolean isText(Response reply) {
    return reply != null
        && (reply.type() == ResponseType.BULK || reply.type() == ResponseType.SIMPLE);
  }

  static String text(Response reply) {
    require(isText(reply));
    return reply.type() == ResponseType.BULK
        ? reply.toString(StandardCharsets.UTF_8)
        : reply.toString();
  }

  static Optional<String> optionalText(Response reply) {
    return reply == null ? Optional.empty() : Optional.of(text(reply));
  }

  /** An integer; scripts answer theirs as text. */
  static long integer(Response reply) {
    require(reply != null);
    return reply.type() == ResponseType.NUMBER ? reply.toLong() : Long.parseLong(text(reply));
  }

  /** Whether a count of at most one is one. */
  static boolean flag(Response reply) {
    long value = integer(reply);
    require(value == 0 || value == 1);
    return value == 1;
  }

  /** Expects OK and answers nothing. */
  static Void ok(Response reply) {
    require("OK".equals(text(reply)));
    return null;
  }

  /** Expects some count and answers nothing. */
  static Void counted(Response reply) {
    integer(reply);
    return null;
  }

  /** Whether a conditional write happened: OK, or nothing. */
  static boolean happened(Response reply) {
    if (reply != null) {
      ok(reply);
    }
    return reply != null;
  }

  static boolean isPong(Response reply) {
    return isText(reply) && text(reply).toUpperCase(Locale.ROOT).equals("PONG");
  }

  static List<Response> list(Response reply) {
    require(reply != null && reply.isArray());
    return new Elements(reply);
  }

  private static final class Elements extends AbstractList<Response> {
    private final Response array;

    Elements(Response array) {
      this.array = array;
    }

    @Override
    public Response get(int index) {
      return array.get(index);
    }

    @Override
    public int size() {
      return array.size();
    }
  }

  /** All elements of an array, read; cannot be changed. */
  static <T> List<T> each(Response reply, Function<Response, T> reader) {
    return each(reply, 0, reader);
  }

  /** The same from a certain element on. */
  static <T> List<T> each(Response reply, int first, Function<Response, T> reader) {
    List<Response> elements = list(reply);
    List<T> all = new ArrayList<>(elements.size() - first);
    for (int i = first; i < elements.size(); i++) {
      all.add(reader.apply(elements.get(i)));
    }
    return Collections.unmodifiableList(all);
  }

  /** The lines of a text; none of any other reply. */
  static Iterator<String> lines(Response reply) {
    return isText(reply)
        ? Arrays.asList(text(reply).split("\n")).iterator()
        : Collections.emptyIterator();
  }

  static List<String> texts(Response reply) {
    return each(reply, Replies::text);
  }

  static List<Optional<String>> optionalTexts(Response reply) {
    return each(reply, Replies::optionalText);
  }

  /** PTTL: a key in its last millisecond still lives. */
  static KeyTtl ttl(Response reply) {
    long millis = integer(reply);
    require(millis >= -2);
    return millis == -2
        ? new KeyTtl.Missing()
        : millis == -1
            ? new KeyTtl.NoExpiry()
            : new KeyTtl.Remaining(Duration.ofMillis(Math.max(1, millis)));
  }

  /** A counter that was never written: 0. Any other text than digits was not written by us. */
  static long count(Response reply) {
    String text = reply == null ? "0" : text(reply);
    require(COUNT.matcher(text).matches());
    return Long.parseLong(text);
  }

  /** A double, as a text or as a number of its own kind; negative zero becomes zero. */
  static double decimal(Response reply) {
    require(reply != null);
    return 0.0
        + (reply.type() == ResponseType.NUMBER ? reply.toDouble() : parsedDecimal(text(reply)));
  }

  private static double parsedDecimal(String text) {
    return switch (text) {
      case "inf", "+inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  static List<Optional<Double>> optionalDecimals(Response reply) {
    return each(
        reply, each -> each == null ? Optional.<Double>empty() : Optional.of(decimal(each)));
  }

  static List<ScoredMember> members(Response reply) {
    return each(reply, member -> ScoredMember.of(text(member)));
  }

  /** Members with their scores: in pairs or, in RESP2 and from scripts, one after the other. */
  static List<ScoredMember> scoredMembers(Response reply) {
    List<Response> flat = new ArrayList<>();
    for (Response each : list(reply)) {
      flat.addAll(each.type() == ResponseType.MULTI ? list(each) : List.of(each));
    }
    require(flat.size() % 2 == 0);
    List<ScoredMember> members = new ArrayList<>(flat.size() / 2);
    for (int i = 0; i < flat.size(); i += 2) {
      members.add(ScoredMember.of(text(flat.get(i)), decimal(flat.get(i + 1))));
    }
    return Collections.unmodifiableList(members);
  }

  /** TIME, in whole milliseconds. */
  static long unixMillis(Response reply) {
    List<Response> parts = list(reply);
    require(parts.size() == 2);
    return Long.parseLong(text(parts.get(0))) * 1000 + Long.parseLong(text(parts.get(1))) / 1000;
  }
}
