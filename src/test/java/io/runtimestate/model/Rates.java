package io.runtimestate.model;

import io.runtimestate.data.RateScope;
import io.runtimestate.operation.RateOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Random charges and refunds of a few counters, by several scopes at once. */
final class Rates {
  static final List<Family> ALL =
      List.of(
          Rates::consume,
          Rates::consume,
          Rates::consume,
          Rates::refund,
          Rates::count,
          Rates::tokens);

  private static final int KEYS = 4;
  private static final int BUCKETS = 3;
  private static final long MAX_LIMIT = 4_294_967_295L;
  private static final Duration TTL = Duration.ofHours(10);

  private Rates() {}

  static Step consume(Vocabulary words) {
    long cost = cost(words);
    List<RateScope> scopes = scopes(words, cost);
    long bucket = words.random().nextInt(BUCKETS);
    // The bucket ended long ago, so that every backend says the same of its end.
    Optional<Duration> window =
        words.chance(3) ? Optional.of(Duration.ofMinutes(1)) : Optional.empty();
    return Step.of(
        space -> new RateOperation.Consume(in(space, scopes), bucket, TTL, cost, window));
  }

  static Step refund(Vocabulary words) {
    long cost = cost(words);
    List<RateScope> scopes = scopes(words, cost);
    long bucket = words.random().nextInt(BUCKETS);
    return Step.of(space -> new RateOperation.Refund(in(space, scopes), bucket, cost));
  }

  static Step count(Vocabulary words) {
    String key = key(words);
    long bucket = words.random().nextInt(BUCKETS);
    return Step.of(space -> new RateOperation.Count(space + key, bucket));
  }

  /** Nothing arrives during a history, so that the answers do not depend on its speed. */
  private static Step tokens(Vocabulary words) {
    String key = key(words);
    long capacity = 1 + words.random().nextInt(20);
    long tokens = 1 + words.random().nextInt((int) capacity);
    Duration period = Duration.ofDays(1 + words.random().nextInt(300));
    return Step.of(
        space -> new RateOperation.TokenBucket(space + key, capacity, 1, period, tokens));
  }

  private static long cost(Vocabulary words) {
    return words.chance(30) ? MAX_LIMIT : 1 + words.random().nextInt(4);
  }

  private static List<RateScope> scopes(Vocabulary words, long cost) {
    List<RateScope> scopes = new ArrayList<>();
    int count = 1 + words.random().nextInt(4);
    for (int i = 0; i < count; i++) {
      scopes.add(new RateScope("s" + i, key(words), limit(words, cost)));
    }
    return scopes;
  }

  /** No limit, the highest one, or one that is soon reached. */
  private static long limit(Vocabulary words, long cost) {
    if (words.chance(5)) {
      return 0;
    }
    return words.chance(10) ? MAX_LIMIT : Math.min(MAX_LIMIT, cost + words.random().nextInt(20));
  }

  private static String key(Vocabulary words) {
    return "{t}k" + words.random().nextInt(KEYS);
  }

  private static List<RateScope> in(String space, List<RateScope> scopes) {
    return scopes.stream()
        .map(scope -> new RateScope(scope.name(), space + scope.key(), scope.limit()))
        .toList();
  }
}
