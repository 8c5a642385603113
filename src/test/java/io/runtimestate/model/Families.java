package io.runtimestate.model;

import io.runtimestate.data.KeyValue;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.KvOperation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The families that random histories mix, each a list of equally likely steps. */
final class Families {
  /** Every so often a step gives a key a short life and waits for its end. */
  private static final int ONE_EXPIRING_IN = 120;

  private static final List<Family> KV =
      List.of(
          Families::set,
          Families::setIfAbsent,
          Families::get,
          Families::getMany,
          Families::setMany,
          Families::take,
          Families::compareAndSet,
          Families::compareAndSet,
          Families::deleteIfEquals,
          Families::increment,
          Families::increment);

  private static final List<Family> KEY =
      List.of(
          Families::delete,
          Families::deleteMany,
          Families::exists,
          Families::ttl,
          Families::ttl,
          Families::expire,
          Families::persist,
          Families::scan);

  /** All families, values the most often: what changes a key's type is then soon replaced. */
  static final Family ALL =
      words -> {
        if (words.chance(ONE_EXPIRING_IN)) {
          return expiring(words);
        }
        return words.any(words.any(List.of(KV, KV, KEY, Sets.ALL, Scores.ALL))).next(words);
      };

  private Families() {}

  private static Step expiring(Vocabulary words) {
    String key = words.key();
    String text = words.text();
    Optional<Duration> shortly = Optional.of(Vocabulary.SHORT);
    return words.chance(2)
        ? Step.expiring(space -> new KvOperation.Set(space + key, text, shortly, false))
        : Step.expiring(space -> new KeyOperation.Expire(space + key, Vocabulary.SHORT));
  }

  private static Step set(Vocabulary words) {
    String key = words.key();
    String text = words.text();
    boolean keep = words.chance(4);
    Optional<Duration> ttl = keep ? Optional.empty() : words.ttlOrZero();
    return Step.of(space -> new KvOperation.Set(space + key, text, ttl, keep));
  }

  private static Step setIfAbsent(Vocabulary words) {
    String key = words.key();
    String text = words.text();
    Optional<Duration> ttl = words.ttl();
    return Step.of(space -> new KvOperation.SetIfAbsent(space + key, text, ttl));
  }

  private static Step get(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new KvOperation.Get(space + key));
  }

  private static Step getMany(Vocabulary words) {
    List<String> keys = words.keys();
    return Step.of(space -> new KvOperation.GetMany(in(space, keys)));
  }

  private static Step setMany(Vocabulary words) {
    List<KeyValue> entries =
        words.keys().stream().map(key -> new KeyValue(key, words.text())).toList();
    Optional<Duration> ttl = words.ttlOrZero();
    return Step.of(
        space ->
            new KvOperation.SetMany(
                entries.stream()
                    .map(entry -> new KeyValue(space + entry.key(), entry.value()))
                    .toList(),
                ttl));
  }

  private static Step take(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new KvOperation.Take(space + key));
  }

  private static Step compareAndSet(Vocabulary words) {
    String key = words.key();
    Optional<String> expected = words.chance(4) ? Optional.empty() : Optional.of(words.text());
    String text = words.text();
    Optional<Duration> ttl = words.ttl();
    return Step.of(space -> new KvOperation.CompareAndSet(space + key, expected, text, ttl));
  }

  private static Step deleteIfEquals(Vocabulary words) {
    String key = words.key();
    String text = words.text();
    return Step.of(space -> new KvOperation.DeleteIfEquals(space + key, text));
  }

  private static Step increment(Vocabulary words) {
    String key = words.key();
    long delta = words.number();
    Optional<Duration> ttl = words.ttl();
    return Step.of(space -> new KvOperation.Increment(space + key, delta, ttl));
  }

  private static Step delete(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new KeyOperation.Delete(space + key));
  }

  private static Step deleteMany(Vocabulary words) {
    List<String> keys = words.chance(3) ? words.keys() : List.of(words.key());
    return Step.of(space -> new KeyOperation.DeleteMany(in(space, keys)));
  }

  private static Step exists(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new KeyOperation.Exists(space + key));
  }

  private static Step ttl(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new KeyOperation.Ttl(space + key));
  }

  private static Step expire(Vocabulary words) {
    String key = words.key();
    Duration ttl = words.ttlOrZero().orElse(Duration.ofDays(1));
    return Step.of(space -> new KeyOperation.Expire(space + key, ttl));
  }

  private static Step persist(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new KeyOperation.Persist(space + key));
  }

  /** One page is all: few keys exist, and an exact name needs no second page anywhere. */
  private static Step scan(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new KeyOperation.Scan(space + key, Optional.empty(), 100));
  }

  private static List<String> in(String space, List<String> names) {
    return names.stream().map(name -> space + name).toList();
  }
}
