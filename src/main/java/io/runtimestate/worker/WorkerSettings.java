package io.runtimestate.worker;

import io.runtimestate.data.Durations;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.QueueOperation;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Checked options with every default filled in; durations in milliseconds. */
record WorkerSettings(
    String stream,
    String group,
    String consumer,
    String groupStart,
    int concurrency,
    int batch,
    Duration block,
    long minIdle,
    long reclaimInterval,
    long handlerTimeout,
    long retryDelayMax,
    long consumerTtl,
    boolean deleteAfterAck,
    Optional<String> deadLetterStream,
    OptionalInt maxDeliveries,
    OptionalLong deadLetterMaxLen,
    long drainTimeout) {
  private static final long SHORTEST_RECLAIM = 100;
  private static final long LONGEST_RECLAIM = 30_000;
  private static final int RETRY_FACTOR = 10;

  /**
   * @throws RuntimeStateException INVALID_CONFIGURATION naming the option
   */
  static WorkerSettings of(QueueWorkerOptions options) {
    required("options", options);
    long minIdle = positive("minIdle", options.getMinIdle());
    require(
        minIdle <= QueueOperation.LONGEST_IDLE.toMillis(), "minIdle", "must be at most 3650 days");
    Optional<String> deadLetters = deadLetters(options);
    return new WorkerSettings(
        name("stream", options.getStream()),
        name("group", options.getGroup()),
        name("consumer", options.getConsumer()),
        start(options.getGroupStart()),
        count("concurrency", options.getConcurrency()),
        count("batch", options.getBatch()),
        Duration.ofMillis(positive("block", options.getBlock())),
        minIdle,
        reclaimInterval(options.getReclaimInterval(), minIdle),
        positive("handlerTimeout", options.getHandlerTimeout()),
        retryDelayMax(options.getRetryDelayMax(), minIdle),
        positive("consumerTtl", options.getConsumerTtl()),
        options.isDeleteAfterAck(),
        deadLetters,
        maxDeliveries(options.getMaxDeliveries(), deadLetters),
        deadLetterMaxLen(options.getDeadLetterMaxLen()),
        millis("drainTimeout", options.getDrainTimeout()));
  }

  static <T> T required(String option, T value) {
    require(value != null, option, "is required");
    return value;
  }

  private static void require(boolean holds, String option, String rule) {
    if (!holds) {
      throw new RuntimeStateException(
          FailureCode.INVALID_CONFIGURATION, "queue worker: " + option + " " + rule);
    }
  }

  /** The rule for names is the one of operations, so that there is only one. */
  private static String name(String option, String value) {
    required(option, value);
    try {
      new QueueOperation.Groups(value);
    } catch (RuntimeStateException broken) {
      require(false, option, "must be a name: not blank, well-formed, at most 65536 bytes");
    }
    return value;
  }

  private static String start(String value) {
    boolean valid = value != null && (value.equals("$") || EntryId.parseStart(value) != null);
    require(valid, "groupStart", "must be an id, its first half or $");
    return value;
  }

  private static int count(String option, int value) {
    require(value >= 1 && value <= QueueOperation.MAX_COUNT, option, "must be from 1 to 10000");
    return value;
  }

  private static long positive(String option, Duration value) {
    long millis = millis(option, value);
    require(millis > 0, option, "must be above zero");
    return millis;
  }

  private static long millis(String option, Duration value) {
    required(option, value);
    try {
      return Durations.roundUp(value).toMillis();
    } catch (IllegalArgumentException broken) {
      require(false, option, broken.getMessage());
      throw broken;
    }
  }

  private static long reclaimInterval(Duration given, long minIdle) {
    return given == null
        ? Math.min(Math.max(minIdle / 2, SHORTEST_RECLAIM), LONGEST_RECLAIM)
        : positive("reclaimInterval", given);
  }

  private static long retryDelayMax(Duration given, long minIdle) {
    long millis =
        given == null
            ? Math.min(RETRY_FACTOR * minIdle, Durations.LONGEST.toMillis())
            : millis("retryDelayMax", given);
    require(millis >= minIdle, "retryDelayMax", "must be at least minIdle");
    return millis;
  }

  private static Optional<String> deadLetters(QueueWorkerOptions options) {
    Optional<String> stream =
        Optional.ofNullable(options.getDeadLetterStream())
            .map(name -> name("deadLetterStream", name));
    require(
        stream.filter(name -> name.equals(options.getStream())).isEmpty(),
        "deadLetterStream",
        "must not be the stream");
    return stream;
  }

  private static OptionalInt maxDeliveries(Integer given, Optional<String> deadLetters) {
    require(given == null || given >= 1, "maxDeliveries", "must be at least 1");
    require(
        given == null || deadLetters.isPresent(),
        "maxDeliveries",
        "needs a deadLetterStream, where messages go then");
    int max = given == null ? QueueWorkerOptions.DEFAULT_MAX_DELIVERIES : given;
    return deadLetters.isPresent() ? OptionalInt.of(max) : OptionalInt.empty();
  }

  private static OptionalLong deadLetterMaxLen(Long given) {
    require(given == null || given >= 1, "deadLetterMaxLen", "must be at least 1");
    return given == null ? OptionalLong.empty() : OptionalLong.of(given);
  }

  /** How often entries that are kept must be kept again. */
  long heartbeat() {
    return Math.max(1, minIdle / 3);
  }

  /** The pause after the failure of that delivery: doubling, from minIdle to its bound. */
  long retryDelay(long deliveryCount) {
    long doublings = Math.max(0, deliveryCount - 1);
    return doublings >= Long.numberOfLeadingZeros(minIdle) - 1
        ? retryDelayMax
        : Math.min(minIdle << doublings, retryDelayMax);
  }

  /** Whether a failure of that delivery is the last. */
  boolean isExhaustedBy(long deliveryCount) {
    return maxDeliveries.isPresent() && deliveryCount >= maxDeliveries.getAsInt();
  }

  @Override
  public String toString() {
    return "WorkerSettings";
  }
}
