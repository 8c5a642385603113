package io.runtimestate.redis;

import io.runtimestate.data.KeyTtl;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The only place that reads replies, in RESP2 and in RESP3. A reply of an unexpected shape is an
 * {@link IllegalArgumentException}, from which the caller makes a failure. Bytes that are not UTF-8
 * become U+FFFD; nothing is dropped for them.
 */
final class Replies {
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
    List<Response> elements = new ArrayList<>(reply.size());
    reply.forEach(elements::add);
    return elements;
  }

  static List<String> texts(Response reply) {
    return list(reply).stream().map(Replies::text).toList();
  }

  static List<Optional<String>> optionalTexts(Response reply) {
    return list(reply).stream().map(Replies::optionalText).toList();
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

  /** TIME, in whole milliseconds. */
  static long unixMillis(Response reply) {
    List<Response> parts = list(reply);
    require(parts.size() == 2);
    return Long.parseLong(text(parts.get(0))) * 1000 + Long.parseLong(text(parts.get(1))) / 1000;
  }
}
