package io.runtimestate.operation;

import static io.runtimestate.operation.OperationKind.NOT_REPEATABLE;
import static io.runtimestate.operation.OperationKind.READ;
import static io.runtimestate.operation.OperationKind.REPEATABLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Every operation, once. Addresses, JSON, statistics, metrics and completeness tests are derived
 * from these lines.
 */
public final class OperationCatalog {
  private static final Predicate<Object> NEVER = result -> false;
  private static final List<OperationType> ALL = lines();
  private static final Map<String, OperationType> BY_NAME = index(OperationType::name);
  private static final LinesByClass BY_CLASS = new LinesByClass(ALL);

  private OperationCatalog() {}

  /** All operations, by ordinal. */
  public static List<OperationType> all() {
    return ALL;
  }

  /** The line of a dotted name. */
  public static Optional<OperationType> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** The line of an operation. */
  public static OperationType typeOf(Operation<?> operation) {
    return BY_CLASS.get(operation.getClass());
  }

  /** The line of an operation's record class. */
  public static OperationType typeOf(Class<? extends Operation<?>> recordClass) {
    return BY_CLASS.get(recordClass);
  }

  private static List<OperationType> lines() {
    Lines lines = new Lines();
    kv(lines);
    key(lines);
    set(lines);
    score(lines);
    rate(lines);
    usage(lines);
    queue(lines);
    lock(lines);
    semaphore(lines);
    system(lines);
    return List.copyOf(lines.all);
  }

  private static void kv(Lines lines) {
    lines.add("kv.set", KvOperation.Set.class, REPEATABLE);
    lines.add("kv.setIfAbsent", KvOperation.SetIfAbsent.class, REPEATABLE, stored -> !stored);
    lines.add("kv.get", KvOperation.Get.class, READ);
    lines.add("kv.getMany", KvOperation.GetMany.class, READ);
    lines.add("kv.setMany", KvOperation.SetMany.class, REPEATABLE);
    lines.add("kv.take", KvOperation.Take.class, NOT_REPEATABLE);
    lines.add("kv.compareAndSet", KvOperation.CompareAndSet.class, REPEATABLE, set -> !set);
    lines.add("kv.deleteIfEquals", KvOperation.DeleteIfEquals.class, REPEATABLE, gone -> !gone);
    lines.add("kv.increment", KvOperation.Increment.class, NOT_REPEATABLE);
  }

  private static void key(Lines lines) {
    lines.add("key.delete", KeyOperation.Delete.class, REPEATABLE);
    lines.add("key.deleteMany", KeyOperation.DeleteMany.class, REPEATABLE);
    lines.add("key.exists", KeyOperation.Exists.class, READ);
    lines.add("key.ttl", KeyOperation.Ttl.class, READ);
    lines.add("key.expire", KeyOperation.Expire.class, REPEATABLE);
    lines.add("key.persist", KeyOperation.Persist.class, REPEATABLE);
    lines.add("key.scan", KeyOperation.Scan.class, READ);
  }

  private static void set(Lines lines) {
    lines.add("set.add", SetOperation.Add.class, REPEATABLE);
    lines.add("set.addAll", SetOperation.AddAll.class, REPEATABLE);
    lines.add("set.remove", SetOperation.Remove.class, REPEATABLE);
    lines.add("set.removeAll", SetOperation.RemoveAll.class, REPEATABLE);
    lines.add("set.contains", SetOperation.Contains.class, READ);
    lines.add("set.members", SetOperation.Members.class, READ);
    lines.add("set.size", SetOperation.Size.class, READ);
  }

  private static void score(Lines lines) {
    lines.add("score.set", ScoreOperation.Set.class, REPEATABLE);
    lines.add("score.setAll", ScoreOperation.SetAll.class, REPEATABLE);
    lines.add("score.increment", ScoreOperation.Increment.class, NOT_REPEATABLE);
    lines.add("score.getMany", ScoreOperation.GetMany.class, READ);
    lines.add("score.range", ScoreOperation.Range.class, READ);
    lines.add("score.count", ScoreOperation.Count.class, READ);
    lines.add("score.size", ScoreOperation.Size.class, READ);
    lines.add("score.remove", ScoreOperation.Remove.class, REPEATABLE);
    lines.add("score.removeByScore", ScoreOperation.RemoveByScore.class, REPEATABLE);
    lines.add("score.removeByRank", ScoreOperation.RemoveByRank.class, NOT_REPEATABLE);
    lines.add("score.popLowest", ScoreOperation.PopLowest.class, NOT_REPEATABLE);
    lines.add("score.windowStats", ScoreOperation.WindowStats.class, READ);
    lines.add("score.recordSample", ScoreOperation.RecordSample.class, REPEATABLE);
  }

  private static void rate(Lines lines) {
    lines.add(
        "rate.consume",
        RateOperation.Consume.class,
        NOT_REPEATABLE,
        decision -> !decision.isAllowed());
    lines.add("rate.count", RateOperation.Count.class, READ);
    lines.add("rate.refund", RateOperation.Refund.class, NOT_REPEATABLE);
    lines.add(
        "rate.tokenBucket",
        RateOperation.TokenBucket.class,
        NOT_REPEATABLE,
        decision -> !decision.isAllowed());
  }

  private static void usage(Lines lines) {
    lines.add(
        "usage.consume",
        UsageOperation.Consume.class,
        REPEATABLE,
        decision -> !decision.isAllowed());
    lines.add("usage.peek", UsageOperation.Peek.class, READ);
    lines.add("usage.release", UsageOperation.Release.class, REPEATABLE);
  }

  private static void queue(Lines lines) {
    lines.add("queue.ensureGroup", QueueOperation.EnsureGroup.class, REPEATABLE);
    lines.add("queue.append", QueueOperation.Append.class, NOT_REPEATABLE);
    lines.add("queue.appendAll", QueueOperation.AppendAll.class, NOT_REPEATABLE);
    lines.add("queue.read", QueueOperation.Read.class, NOT_REPEATABLE);
    lines.add("queue.claim", QueueOperation.Claim.class, NOT_REPEATABLE);
    lines.add("queue.ack", QueueOperation.Ack.class, REPEATABLE);
    lines.add("queue.delete", QueueOperation.Delete.class, REPEATABLE);
    lines.add("queue.ackAndDelete", QueueOperation.AckAndDelete.class, REPEATABLE);
    lines.add("queue.nack", QueueOperation.Nack.class, REPEATABLE);
    lines.add("queue.extend", QueueOperation.Extend.class, REPEATABLE);
    lines.add(
        "queue.transfer",
        QueueOperation.Transfer.class,
        REPEATABLE,
        result -> !result.isTransferred());
    lines.add("queue.pending", QueueOperation.Pending.class, READ);
    lines.add("queue.removeConsumer", QueueOperation.RemoveConsumer.class, REPEATABLE);
    lines.add("queue.removeGroup", QueueOperation.RemoveGroup.class, REPEATABLE);
    lines.add("queue.groups", QueueOperation.Groups.class, READ);
    lines.add("queue.trim", QueueOperation.Trim.class, REPEATABLE);
    lines.add("queue.stats", QueueOperation.Stats.class, READ);
  }

  private static void lock(Lines lines) {
    lines.add("lock.tryAcquire", LockOperation.TryAcquire.class, REPEATABLE, Optional::isEmpty);
    lines.add("lock.renew", LockOperation.Renew.class, REPEATABLE, renewed -> !renewed);
    lines.add("lock.release", LockOperation.Release.class, REPEATABLE);
    lines.add("lock.holder", LockOperation.Holder.class, READ);
  }

  private static void semaphore(Lines lines) {
    lines.add(
        "semaphore.tryAcquire",
        SemaphoreOperation.TryAcquire.class,
        REPEATABLE,
        decision -> !decision.isGranted());
    lines.add("semaphore.renew", SemaphoreOperation.Renew.class, REPEATABLE, renewed -> !renewed);
    lines.add("semaphore.release", SemaphoreOperation.Release.class, REPEATABLE);
    lines.add("semaphore.snapshot", SemaphoreOperation.Snapshot.class, READ);
    lines.add("semaphore.holders", SemaphoreOperation.Holders.class, READ);
  }

  private static void system(Lines lines) {
    lines.add("system.info", SystemOperation.Info.class, READ);
    lines.add("system.time", SystemOperation.Time.class, READ);
    lines.add("system.health", SystemOperation.Health.class, READ);
    lines.add("system.statistics", SystemOperation.Statistics.class, READ);
    lines.add("system.diagnostics", SystemOperation.Diagnostics.class, READ);
  }

  private static <K> Map<K, OperationType> index(Function<OperationType, ? extends K> by) {
    return ALL.stream().collect(Collectors.toUnmodifiableMap(by, Function.identity()));
  }

  private static final class Lines {
    private final List<OperationType> all = new ArrayList<>();

    <R, O extends Operation<R>> void add(String name, Class<O> recordClass, OperationKind kind) {
      all.add(
          new OperationType(
              all.size(), name, recordClass, kind, NEVER, OperationType.resultOf(recordClass)));
    }

    @SuppressWarnings("unchecked") // R is the result type of the record, by its own declaration
    <R, O extends Operation<R>> void add(
        String name, Class<O> recordClass, OperationKind kind, Predicate<? super R> refusal) {
      all.add(
          new OperationType(
              all.size(),
              name,
              recordClass,
              kind,
              result -> refusal.test((R) result),
              OperationType.resultOf(recordClass)));
    }
  }
}
