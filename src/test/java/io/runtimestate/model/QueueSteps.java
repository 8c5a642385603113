package io.runtimestate.model;

import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.QueueOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Random steps on two streams with three groups. Everything random is drawn before a store is. */
final class QueueSteps {
  static final String ONE = "one";
  static final String OTHER = "other";

  private static final List<String> GROUPS = List.of("a", "b", "\uD83D\uDE00");
  private static final List<String> CONSUMERS = List.of("x", "y", "\uFFFF");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final long BEYOND_LEAST_NANOS = 4_000_000;

  private final Random random;

  private QueueSteps(Random random) {
    this.random = random;
  }

  static Function<QueueStore, String> next(Random random) {
    return new QueueSteps(random).next();
  }

  private Function<QueueStore, String> next() {
    String stream = random.nextInt(8) == 0 ? OTHER : ONE;
    String group = any(GROUPS);
    String consumer = any(CONSUMERS);
    return switch (random.nextInt(20)) {
      case 0, 1 -> append(stream);
      case 2 -> appendAll(stream);
      case 3, 4, 5 -> read(stream, group, consumer);
      case 6 -> ensureGroup(stream, group);
      case 7, 8 -> claim(stream, group, consumer);
      case 9 ->
          onIds(
              stream,
              (store, ids) ->
                  new QueueOperation.Ack(store.named(stream), group, ids, maybe(consumer, ids)));
      case 10 -> onIds(stream, (store, ids) -> new QueueOperation.Delete(store.named(stream), ids));
      case 11 ->
          onIds(
              stream,
              (store, ids) ->
                  new QueueOperation.AckAndDelete(
                      store.named(stream), group, ids, maybe(consumer, ids)));
      case 12, 13 -> nack(stream, group, consumer);
      case 14 ->
          onIds(
              stream,
              (store, ids) -> new QueueOperation.Extend(store.named(stream), group, consumer, ids));
      case 15 -> transfer(group, consumer);
      case 16 -> pending(stream, group, consumer);
      case 17 -> look(stream, group);
      case 18 -> trim(stream);
      default -> rarely(stream, group, consumer);
    };
  }

  private Function<QueueStore, String> append(String stream) {
    OptionalLong limit = limit();
    Map<String, String> fields = fields();
    return store ->
        store.call(stream, new QueueOperation.Append(store.named(stream), fields, limit));
  }

  private OptionalLong limit() {
    return random.nextInt(3) == 0 ? OptionalLong.of(random.nextInt(12)) : OptionalLong.empty();
  }

  private Map<String, String> fields() {
    return Map.of("n", Integer.toString(random.nextInt(100)), "", "\0");
  }

  private Function<QueueStore, String> appendAll(String stream) {
    OptionalLong limit = limit();
    List<Map<String, String>> entries = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      entries.add(fields());
    }
    return store ->
        store.call(stream, new QueueOperation.AppendAll(store.named(stream), entries, limit));
  }

  private Function<QueueStore, String> read(String stream, String group, String consumer) {
    int count = random.nextInt(4);
    return store ->
        store.call(
            stream,
            new QueueOperation.Read(store.named(stream), group, consumer, count, Optional.empty()));
  }

  private Function<QueueStore, String> ensureGroup(String stream, String group) {
    int kind = random.nextInt(3);
    int position = random.nextInt(30);
    return store -> {
      String start = kind == 0 ? "0-0" : kind == 1 ? "$" : store.id(stream, position);
      return store.call(stream, new QueueOperation.EnsureGroup(store.named(stream), group, start));
    };
  }

  /** Either everything is idle for long enough or only what was nacked. */
  private Function<QueueStore, String> claim(String stream, String group, String consumer) {
    Duration minIdle = random.nextBoolean() ? LEAST : HOUR;
    int count = 1 + random.nextInt(4);
    Function<QueueStore, String> start = start(stream);
    return store -> {
      LockSupport.parkNanos(BEYOND_LEAST_NANOS);
      return store.call(
          stream,
          new QueueOperation.Claim(
              store.named(stream), group, consumer, minIdle, start.apply(store), count));
    };
  }

  private Function<QueueStore, String> start(String stream) {
    int back = random.nextInt(12);
    boolean beginning = random.nextBoolean();
    return store ->
        beginning || store.size(stream) == 0
            ? "0-0"
            : store.id(stream, Math.max(0, store.size(stream) - back));
  }

  private Function<QueueStore, String> onIds(
      String stream, BiFunction<QueueStore, List<String>, QueueOperation<?>> operation) {
    Function<QueueStore, List<String>> ids = ids(stream);
    return store -> store.call(stream, operation.apply(store, ids.apply(store)));
  }

  /** Recent ids, since old ones are mostly gone; some twice, some that do not exist. */
  private Function<QueueStore, List<String>> ids(String stream) {
    List<Integer> back = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      back.add(random.nextInt(14) - 1);
    }
    boolean garbage = random.nextInt(4) == 0;
    return store -> {
      List<String> ids = new ArrayList<>();
      back.forEach(steps -> ids.add(store.id(stream, Math.max(0, store.size(stream) - 1 - steps))));
      if (garbage) {
        ids.add("01-0");
      }
      return ids;
    };
  }

  private Optional<String> maybe(String consumer, List<String> ids) {
    return ids.size() % 2 == 0 ? Optional.of(consumer) : Optional.empty();
  }

  private Function<QueueStore, String> nack(String stream, String group, String consumer) {
    boolean counts = random.nextBoolean();
    return onIds(
        stream,
        (store, ids) -> new QueueOperation.Nack(store.named(stream), group, consumer, ids, counts));
  }

  private Function<QueueStore, String> transfer(String group, String consumer) {
    int back = random.nextInt(14);
    OptionalLong limit = limit();
    Map<String, String> fields = fields();
    Optional<String> only = random.nextBoolean() ? Optional.of(consumer) : Optional.empty();
    return store ->
        store.call(
            OTHER,
            new QueueOperation.Transfer(
                store.named(ONE),
                group,
                store.id(ONE, Math.max(0, store.size(ONE) - 1 - back)),
                store.named(OTHER),
                fields,
                limit,
                only));
  }

  private Function<QueueStore, String> pending(String stream, String group, String consumer) {
    int count = 1 + random.nextInt(4);
    Optional<String> only = random.nextInt(3) == 0 ? Optional.of(consumer) : Optional.empty();
    Function<QueueStore, String> start = start(stream);
    return store ->
        store.call(
            stream,
            new QueueOperation.Pending(
                store.named(stream), group, start.apply(store), count, only));
  }

  private Function<QueueStore, String> look(String stream, String group) {
    boolean all = random.nextBoolean();
    return store ->
        all
            ? store.call(stream, new QueueOperation.Groups(store.named(stream)))
            : store.call(stream, new QueueOperation.Stats(store.named(stream), Optional.of(group)));
  }

  private Function<QueueStore, String> trim(String stream) {
    long keep = random.nextInt(20);
    return store -> store.call(stream, new QueueOperation.Trim(store.named(stream), keep));
  }

  private Function<QueueStore, String> rarely(String stream, String group, String consumer) {
    boolean discard = random.nextBoolean();
    return switch (random.nextInt(6)) {
      case 0, 1, 2 ->
          store ->
              store.call(
                  stream,
                  new QueueOperation.RemoveConsumer(store.named(stream), group, consumer, discard));
      case 3 ->
          store -> store.call(stream, new QueueOperation.RemoveGroup(store.named(stream), group));
      case 4 -> delete();
      default ->
          store ->
              store.call(
                  OTHER,
                  new KvOperation.SetIfAbsent(store.named(OTHER), "in the way", Optional.empty()));
    };
  }

  /** A stream made again within the same millisecond would give the same ids again. */
  private static Function<QueueStore, String> delete() {
    return store -> {
      String answer = store.call(OTHER, new KeyOperation.Delete(store.named(OTHER)));
      LockSupport.parkNanos(BEYOND_LEAST_NANOS);
      return answer;
    };
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
