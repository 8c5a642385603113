package io.runtimestate.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** The few names and texts that random histories are made of: few, so that they meet. */
final class Vocabulary {
  /** A life that ends within {@link #BEYOND_SHORT}. */
  static final Duration SHORT = Duration.ofMillis(10);

  static final Duration BEYOND_SHORT = Duration.ofMillis(60);

  /** Lives that end after every history, and far enough apart to be told from each other. */
  private static final List<Duration> LONG =
      List.of(Duration.ofMinutes(10), Duration.ofHours(10), Duration.ofDays(100));

  private static final int KEYS = 8;
  private static final List<String> TEXTS =
      List.of(
          "",
          "0",
          "1",
          "-1",
          "7",
          "007",
          "x",
          "y",
          "\uD83D\uDE00\0",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808");
  private static final List<Long> NUMBERS =
      List.of(0L, 1L, -1L, 7L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53);

  private static final List<String> MEMBERS =
      List.of("", "a", "b", "Z", "9", "10", "\u00E9", "\uFFFF", "\uD83D\uDE00", "n:7", "n:x");
  private static final List<Double> SCORES =
      List.of(0.0, -0.0, 1.0, -1.0, 2.0, 2.5, 0.1, 1e300, -1e300, 1.7e308, 4.9e-324, 9e15);
  private static final List<Double> INFINITIES =
      List.of(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

  private final Random random;

  Vocabulary(Random random) {
    this.random = random;
  }

  Random random() {
    return random;
  }

  boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  String key() {
    return "k" + random.nextInt(KEYS);
  }

  List<String> keys() {
    return IntStream.range(0, random.nextInt(6)).mapToObj(i -> key()).toList();
  }

  String text() {
    return any(TEXTS);
  }

  long number() {
    return any(NUMBERS);
  }

  /** A member of a set or score. */
  String member() {
    return any(MEMBERS);
  }

  List<String> members() {
    return IntStream.range(0, random.nextInt(6)).mapToObj(i -> member()).toList();
  }

  double score() {
    return any(SCORES);
  }

  /** A score, or more than any. */
  double bound() {
    return chance(4) ? any(INFINITIES) : score();
  }

  /** A ttl that is absent, or long. */
  Optional<Duration> ttl() {
    return chance(2) ? Optional.empty() : Optional.of(any(LONG));
  }

  /** The same, or zero. */
  Optional<Duration> ttlOrZero() {
    return chance(6) ? Optional.of(Duration.ZERO) : ttl();
  }

  <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
