package io.runtimestate.operation;

import io.runtimestate.data.KeyValue;
import io.runtimestate.data.LockLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What an argument may be, told by examples: one value that is fine, values at the edge of the
 * rule, values beyond it, and JSON of the wrong type. Optional arguments are given without their
 * {@code Optional}; null means absent.
 *
 * @param usual a value for calls in which another argument is of interest
 * @param good values that must be accepted
 * @param bad values that must be refused; null among them means that the argument is required
 * @param badJson JSON that must be refused, beside the JSON of the bad values
 */
public record ArgumentRule(
    Object usual, List<Object> good, List<Object> bad, List<Object> badJson) {
  private static final int MAX_KEY_BYTES = 65_536;
  private static final int MAX_TEXT_BYTES = 64 << 20;
  private static final int MAX_LIST = 100_000;
  private static final Duration LONGEST = Duration.ofDays(36_525);
  private static final String HUGE = "x".repeat(MAX_TEXT_BYTES + 1);
  private static final List<Object> ANY_TEXT =
      List.of("\0", "\r\n\"'", " ", "\uD83D\uDE00", "\uFFFF", "e\u0301");
  private static final List<Object> NOT_UNICODE = List.of("a\uD800", "\uDC00a", "\uDC00\uD800");
  private static final List<Object> NO_TEXT = List.of(1, 1.5, true, List.of("x"));

  /** A text of 1 to 65 536 bytes. */
  public static final ArgumentRule KEY =
      new ArgumentRule(
          "k",
          plus(ANY_TEXT, "x".repeat(MAX_KEY_BYTES), "é".repeat(MAX_KEY_BYTES / 2)),
          plus(
              NOT_UNICODE,
              null,
              "",
              "x".repeat(MAX_KEY_BYTES + 1),
              "é".repeat(MAX_KEY_BYTES / 2) + "x"),
          NO_TEXT);

  /** A key that is not blank. */
  public static final ArgumentRule NAME =
      new ArgumentRule("k", List.of(" a ", "\0"), plus(KEY.bad, " ", "\u3000\u2003\t"), NO_TEXT);

  /** A text of at most 64 MiB. */
  public static final ArgumentRule TEXT =
      new ArgumentRule("v", plus(ANY_TEXT, ""), plus(NOT_UNICODE, null, HUGE), NO_TEXT);

  /** True or false. */
  public static final ArgumentRule FLAG =
      new ArgumentRule(false, List.of(true, false), List.of(), List.of("true", 1, 0, "x"));

  /** A 64-bit integer. */
  public static final ArgumentRule LONG =
      new ArgumentRule(
          1L,
          List.of(0L, Long.MAX_VALUE, Long.MIN_VALUE),
          List.of(),
          List.of("x", "", "01", "+1", "1.0", 1.5, true, "9223372036854775808", 1e30));

  /** A duration that may be zero. */
  public static final ArgumentRule DURATION0 =
      new ArgumentRule(
          Duration.ofMinutes(10),
          List.of(Duration.ZERO, Duration.ofNanos(1), LONGEST),
          Arrays.asList(
              null,
              Duration.ofNanos(-1),
              Duration.ofMillis(-1),
              LONGEST.plusMillis(1),
              LONGEST.plusNanos(1),
              Duration.ofSeconds(Long.MAX_VALUE),
              Duration.ofSeconds(Long.MIN_VALUE)),
          List.of("x", "1s", 1.5, true, List.of(1), Long.MAX_VALUE, Long.MIN_VALUE, "-1"));

  /** A duration above zero. */
  public static final ArgumentRule DURATION =
      new ArgumentRule(
          DURATION0.usual,
          List.of(Duration.ofNanos(1), LONGEST),
          plus(DURATION0.bad, Duration.ZERO),
          plus(DURATION0.badJson, 0));

  /** A number of things, from 1 to 10 000. */
  public static final ArgumentRule COUNT =
      new ArgumentRule(
          10, List.of(1, 10_000), List.of(0, -1, 10_001), List.of("x", 1.5, true, 1L << 32));

  /** An advisory size. */
  public static final ArgumentRule COUNT_HINT =
      new ArgumentRule(
          10,
          List.of(0, 1, Integer.MAX_VALUE),
          List.of(-1, Integer.MIN_VALUE),
          List.of("x", 1.5, true, 1L << 32, -1L << 40));

  /** A pattern of names: a text that is not empty. */
  public static final ArgumentRule PATTERN =
      new ArgumentRule("k*", plus(ANY_TEXT, "*", "**"), plus(TEXT.bad, ""), NO_TEXT);

  /** A positive 32-bit integer. */
  public static final ArgumentRule LIMIT =
      new ArgumentRule(
          1,
          List.of(1, Integer.MAX_VALUE),
          List.of(0, -1, Integer.MIN_VALUE),
          List.of("x", 1.5, true, 1L << 32));

  /** The token of an acquisition by {@code k}. */
  public static final ArgumentRule TOKEN =
      new ArgumentRule(
          "k:1",
          plus(List.of("k:1", "k: ", "k::"), (Object) null),
          plus(NOT_UNICODE, "", " ", "k", "k:", "x:1", "K:1", "kk:1"),
          NO_TEXT);

  /** The token of a permit that somebody holds or not. */
  public static final ArgumentRule HELD_TOKEN =
      new ArgumentRule("k:1", List.of("x", "\0"), plus(NOT_UNICODE, null, "", " "), NO_TEXT);

  /** What is behind a gate called {@code k}. */
  public static final ArgumentRule RESOURCE =
      new ArgumentRule(
          "r",
          List.of(" r ", "admission:k:r", "admission:x:", "admission:k"),
          plus(NOT_UNICODE, "", " ", "admission:k:", " admission:k:\t", "x".repeat(70_000)),
          NO_TEXT);

  /** A lease as its holder hands it back. */
  public static final ArgumentRule LEASE = leases();

  /** Keys with the texts to store under them. */
  public static final ArgumentRule ENTRIES = entries();

  /** Whether null, or nothing at all, is refused. */
  public boolean isRequired() {
    return bad.stream().anyMatch(Objects::isNull);
  }

  /** The same rule for an argument that may be left out. */
  public ArgumentRule optional() {
    return new ArgumentRule(
        usual, plus(good, (Object) null), bad.stream().filter(Objects::nonNull).toList(), badJson);
  }

  /** A list whose elements follow this rule. */
  public ArgumentRule list() {
    List<Object> lists = new ArrayList<>();
    bad.forEach(value -> lists.add(Arrays.asList(usual, value)));
    lists.add(null);
    lists.add(Collections.nCopies(MAX_LIST + 1, usual));
    List<Object> json = new ArrayList<>(List.of("x", 1, true));
    badJson.forEach(value -> json.add(Arrays.asList(usual, value)));
    return new ArgumentRule(
        List.of(usual),
        List.of(List.of(), List.of(usual, usual), Collections.nCopies(MAX_LIST, usual), good),
        lists,
        json);
  }

  /** The same rule with another usual value. */
  public ArgumentRule usually(Object value) {
    return new ArgumentRule(value, good, bad, badJson);
  }

  private static ArgumentRule leases() {
    Duration ttl = Duration.ofSeconds(1);
    List<Object> bad = new ArrayList<>();
    bad.add(null);
    NAME.bad.forEach(name -> bad.add(new LockLease((String) name, "o", "o:1", 1, ttl)));
    NAME.bad.forEach(name -> bad.add(new LockLease("k", (String) name, "o:1", 1, ttl)));
    HELD_TOKEN.bad.forEach(token -> bad.add(new LockLease("k", "o", (String) token, 1, ttl)));
    bad.add(new LockLease("k", "o", "o:1", 0, ttl));
    bad.add(new LockLease("k", "o", "o:1", -1, ttl));
    bad.add(new LockLease("k", "o", "o:1", 1, Duration.ZERO));
    return new ArgumentRule(
        new LockLease("k", "o", "o:1", 1, ttl),
        List.of(new LockLease("a", "o", "x", Long.MAX_VALUE, ttl)),
        bad,
        List.of("x", 1, true, List.of("k")));
  }

  private static ArgumentRule entries() {
    KeyValue usual = new KeyValue("k", "v");
    List<Object> bad = new ArrayList<>();
    bad.add(null);
    KEY.bad.forEach(key -> bad.add(new KeyValue((String) key, "v")));
    TEXT.bad.forEach(text -> bad.add(new KeyValue("k", (String) text)));
    List<Object> good = new ArrayList<>();
    KEY.good.forEach(key -> good.add(new KeyValue((String) key, "")));
    return new ArgumentRule(usual, good, bad, List.of("x", 1, List.of("k", "v"))).list();
  }

  private static List<Object> plus(List<Object> some, Object... more) {
    List<Object> all = Stream.concat(some.stream(), Arrays.stream(more)).toList();
    return Collections.unmodifiableList(new ArrayList<>(all));
  }
}
