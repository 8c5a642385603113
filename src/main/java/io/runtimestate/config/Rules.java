package io.runtimestate.config;

import io.runtimestate.data.Blank;
import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The checks of options and all their messages. A message names the option in dotted form and the
 * rule, never the value, because any value may hold a secret.
 */
final class Rules {
  private static final Pattern SHOWN_NAME = Pattern.compile("[A-Za-z0-9_.]{1,64}");

  private Rules() {}

  static RuntimeStateException invalid(String message) {
    return new RuntimeStateException(FailureCode.INVALID_CONFIGURATION, message);
  }

  static void require(boolean holds, String message) {
    if (!holds) {
      throw invalid(message);
    }
  }

  static void positive(String option, Number value) {
    require(value == null || value.longValue() > 0, option + " must be above 0");
  }

  static void notNegative(String option, Number value) {
    require(value == null || value.longValue() >= 0, option + " must not be negative");
  }

  static void range(String option, long value, long min, long max) {
    require(value >= min && value <= max, option + " must be " + min + " to " + max);
  }

  static void positive(String option, Duration value) {
    require(value == null || !value.isZero() && !value.isNegative(), option + " must be above 0");
    notTooLong(option, value);
  }

  static void notNegative(String option, Duration value) {
    require(value == null || !value.isNegative(), option + " must not be negative");
    notTooLong(option, value);
  }

  private static void notTooLong(String option, Duration value) {
    require(
        value == null || !Millis.isTooLong(value),
        option + " must be at most " + Durations.LONGEST.toDays() + " days");
  }

  static void busBase(String option, String base) {
    require(!Blank.isBlank(base), option + " must not be blank");
    require(
        !base.startsWith(".") && !base.endsWith("."), option + " must not begin or end with a dot");
  }

  static void urlForRedis(boolean present) {
    require(
        present,
        "backend redis needs redis.url, or one of the variables "
            + String.join(", ", Environment.URL_VARIABLES));
  }

  static void environmentTimeout(boolean holds, List<String> variables) {
    require(
        holds,
        "commandTimeout must be a decimal integer of at least 1 in "
            + String.join(" or ", variables));
  }

  static void masterName(RedisTopology topology, String masterName) {
    boolean sentinel = topology == RedisTopology.SENTINEL;
    require(
        !sentinel || masterName != null && !Blank.isBlank(masterName),
        "redis.topology sentinel needs redis.masterName");
    require(sentinel || masterName == null, "redis.masterName is only for redis.topology sentinel");
  }

  /** Sentinels and nodes tell of others by host and port. */
  static void socketIsStandalone(RedisTopology topology, String urlOption, RedisUrl url) {
    require(
        !url.isUnix() || topology == RedisTopology.STANDALONE,
        "redis.topology " + topology + " needs a host and a port, but " + urlOption + " is a path");
  }

  static void tlsNeedsSecureScheme(String urlOption, RedisUrl url) {
    require(
        url.isTls(),
        "redis.tls needs scheme rediss, but " + urlOption + " has scheme " + url.scheme());
  }

  static RuntimeStateException malformedUrl(String option, String text) {
    return invalid(
        option
            + " "
            + Texts.lengthOf(text)
            + " must be an absolute URL with scheme redis, rediss or unix and a host or a path");
  }

  static RuntimeStateException badPrefix(String rule) {
    return invalid("keyPrefix " + rule);
  }

  static RuntimeStateException wrongType(String option, String expected) {
    return invalid(option + " must be " + expected);
  }

  static RuntimeStateException unknownWord(String option, List<String> words) {
    return wrongType(option, alternatives(words));
  }

  /**
   * Quotes the text, as the one exception: whoever mistypes a mode wants to see it. A URL in the
   * wrong place stays reduced.
   */
  static RuntimeStateException unknownMode(String text, List<String> words) {
    String shown = text.contains("://") ? RedisUrl.display(text) : Texts.cut(text);
    return invalid("backend must be " + alternatives(words) + ", not '" + shown + "'");
  }

  static RuntimeStateException unreadable(String path, String name) {
    String shown = SHOWN_NAME.matcher(name).matches() ? name : Texts.lengthOf(name);
    return invalid(path + shown + " is not known or has a wrong type");
  }

  /** A name may be a secret that went into the wrong place, so only a plain one is shown. */
  static RuntimeStateException unknownNames(String path, Collection<String> names) {
    boolean plain = names.stream().allMatch(name -> SHOWN_NAME.matcher(name).matches());
    return invalid(
        plain
            ? "unknown option " + path + String.join(", " + path, names)
            : names.size() + " unknown options in " + (path.isEmpty() ? "the root" : path));
  }

  private static String alternatives(List<String> words) {
    int last = words.size() - 1;
    return String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }
}
