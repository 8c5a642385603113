package io.runtimestate.worker;

import java.time.Duration;

/**
 * How a worker works. A worker takes a copy, so later changes have no effect on it. The rules are
 * checked when the worker is made.
 */
public final class QueueWorkerOptions {
  /** The default of {@link #getGroupStart()}. */
  public static final String DEFAULT_GROUP_START = "0-0";

  /** The default of {@link #getConcurrency()}. */
  public static final int DEFAULT_CONCURRENCY = 1;

  /** The default of {@link #getBatch()}. */
  public static final int DEFAULT_BATCH = 16;

  /** The default of {@link #getBlock()}. */
  public static final Duration DEFAULT_BLOCK = Duration.ofSeconds(1);

  /** The default of {@link #getMinIdle()}. */
  public static final Duration DEFAULT_MIN_IDLE = Duration.ofSeconds(60);

  /** The default of {@link #getHandlerTimeout()}. */
  public static final Duration DEFAULT_HANDLER_TIMEOUT = Duration.ofMinutes(5);

  /** The default of {@link #getConsumerTtl()}. */
  public static final Duration DEFAULT_CONSUMER_TTL = Duration.ofHours(1);

  /** The default of {@link #getDrainTimeout()}. */
  public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(30);

  /** The default of {@link #getMaxDeliveries()} with a dead-letter stream. */
  public static final int DEFAULT_MAX_DELIVERIES = 5;

  private String stream;
  private String group;
  private String consumer;
  private String groupStart = DEFAULT_GROUP_START;
  private int concurrency = DEFAULT_CONCURRENCY;
  private int batch = DEFAULT_BATCH;
  private Duration block = DEFAULT_BLOCK;
  private Duration minIdle = DEFAULT_MIN_IDLE;
  private Duration reclaimInterval;
  private Duration handlerTimeout = DEFAULT_HANDLER_TIMEOUT;
  private Duration retryDelayMax;
  private Duration consumerTtl = DEFAULT_CONSUMER_TTL;
  private boolean deleteAfterAck = true;
  private String deadLetterStream;
  private Integer maxDeliveries;
  private Long deadLetterMaxLen;
  private Duration drainTimeout = DEFAULT_DRAIN_TIMEOUT;

  /** A worker on a stream, in a group, under a name of its own. */
  public QueueWorkerOptions(String stream, String group, String consumer) {
    this.stream = stream;
    this.group = group;
    this.consumer = consumer;
  }

  /** A copy. */
  public QueueWorkerOptions(QueueWorkerOptions other) {
    this.stream = other.stream;
    this.group = other.group;
    this.consumer = other.consumer;
    this.groupStart = other.groupStart;
    this.concurrency = other.concurrency;
    this.batch = other.batch;
    this.block = other.block;
    this.minIdle = other.minIdle;
    this.reclaimInterval = other.reclaimInterval;
    this.handlerTimeout = other.handlerTimeout;
    this.retryDelayMax = other.retryDelayMax;
    this.consumerTtl = other.consumerTtl;
    this.deleteAfterAck = other.deleteAfterAck;
    this.deadLetterStream = other.deadLetterStream;
    this.maxDeliveries = other.maxDeliveries;
    this.deadLetterMaxLen = other.deadLetterMaxLen;
    this.drainTimeout = other.drainTimeout;
  }

  /** The stream to work on; a name. */
  public String getStream() {
    return stream;
  }

  /** Sets {@link #getStream()}. */
  public QueueWorkerOptions setStream(String stream) {
    this.stream = stream;
    return this;
  }

  /** The group to work in; a name. */
  public String getGroup() {
    return group;
  }

  /** Sets {@link #getGroup()}. */
  public QueueWorkerOptions setGroup(String group) {
    this.group = group;
    return this;
  }

  /** The name of this worker in the group; no other worker may use it. */
  public String getConsumer() {
    return consumer;
  }

  /** Sets {@link #getConsumer()}. */
  public QueueWorkerOptions setConsumer(String consumer) {
    this.consumer = consumer;
    return this;
  }

  /** Where a group that does not exist yet starts: an id, or {@code $} for the end. */
  public String getGroupStart() {
    return groupStart;
  }

  /** Sets {@link #getGroupStart()}. */
  public QueueWorkerOptions setGroupStart(String groupStart) {
    this.groupStart = groupStart;
    return this;
  }

  /** How many messages are handled at a time, 1 to 10 000. */
  public int getConcurrency() {
    return concurrency;
  }

  /** Sets {@link #getConcurrency()}. */
  public QueueWorkerOptions setConcurrency(int concurrency) {
    this.concurrency = concurrency;
    return this;
  }

  /** How many entries one read or claim asks for at most, 1 to 10 000. */
  public int getBatch() {
    return batch;
  }

  /** Sets {@link #getBatch()}. */
  public QueueWorkerOptions setBatch(int batch) {
    this.batch = batch;
    return this;
  }

  /** How long a read waits for an entry; above zero. */
  public Duration getBlock() {
    return block;
  }

  /** Sets {@link #getBlock()}. */
  public QueueWorkerOptions setBlock(Duration block) {
    this.block = block;
    return this;
  }

  /**
   * After which idle time the entries of a consumer are taken over; above zero, at most 3 650 days.
   * While a handler runs, its entry is kept every third of it.
   */
  public Duration getMinIdle() {
    return minIdle;
  }

  /** Sets {@link #getMinIdle()}. */
  public QueueWorkerOptions setMinIdle(Duration minIdle) {
    this.minIdle = minIdle;
    return this;
  }

  /**
   * How often to look for entries to take over, above zero; null: half of minIdle, within 100 ms
   * and 30 s.
   */
  public Duration getReclaimInterval() {
    return reclaimInterval;
  }

  /** Sets {@link #getReclaimInterval()}. */
  public QueueWorkerOptions setReclaimInterval(Duration reclaimInterval) {
    this.reclaimInterval = reclaimInterval;
    return this;
  }

  /** After which time a handler counts as failed; above zero. */
  public Duration getHandlerTimeout() {
    return handlerTimeout;
  }

  /** Sets {@link #getHandlerTimeout()}. */
  public QueueWorkerOptions setHandlerTimeout(Duration handlerTimeout) {
    this.handlerTimeout = handlerTimeout;
    return this;
  }

  /**
   * The longest pause before a failed message is tried again, at least minIdle; null: ten times
   * minIdle.
   */
  public Duration getRetryDelayMax() {
    return retryDelayMax;
  }

  /** Sets {@link #getRetryDelayMax()}. */
  public QueueWorkerOptions setRetryDelayMax(Duration retryDelayMax) {
    this.retryDelayMax = retryDelayMax;
    return this;
  }

  /** After which idle time other consumers with nothing pending are removed; above zero. */
  public Duration getConsumerTtl() {
    return consumerTtl;
  }

  /** Sets {@link #getConsumerTtl()}. */
  public QueueWorkerOptions setConsumerTtl(Duration consumerTtl) {
    this.consumerTtl = consumerTtl;
    return this;
  }

  /** Whether entries are deleted once they are handled. */
  public boolean isDeleteAfterAck() {
    return deleteAfterAck;
  }

  /** Sets {@link #isDeleteAfterAck()}. */
  public QueueWorkerOptions setDeleteAfterAck(boolean deleteAfterAck) {
    this.deleteAfterAck = deleteAfterAck;
    return this;
  }

  /**
   * Where messages go that cannot be handled; null: they are tried for ever. There is no default
   * name. In a cluster, or with {@code enforceSlots}, its name and the stream's share a {@code
   * {tag}}: {@code {orders}work} and {@code {orders}dead}.
   */
  public String getDeadLetterStream() {
    return deadLetterStream;
  }

  /** Sets {@link #getDeadLetterStream()}. */
  public QueueWorkerOptions setDeadLetterStream(String deadLetterStream) {
    this.deadLetterStream = deadLetterStream;
    return this;
  }

  /**
   * After how many deliveries a failed message is a dead letter, at least 1; only with a
   * dead-letter stream, then null means 5.
   */
  public Integer getMaxDeliveries() {
    return maxDeliveries;
  }

  /** Sets {@link #getMaxDeliveries()}. */
  public QueueWorkerOptions setMaxDeliveries(Integer maxDeliveries) {
    this.maxDeliveries = maxDeliveries;
    return this;
  }

  /** How many dead letters are kept, at least 1; null: all. */
  public Long getDeadLetterMaxLen() {
    return deadLetterMaxLen;
  }

  /** Sets {@link #getDeadLetterMaxLen()}. */
  public QueueWorkerOptions setDeadLetterMaxLen(Long deadLetterMaxLen) {
    this.deadLetterMaxLen = deadLetterMaxLen;
    return this;
  }

  /** How long close waits for running handlers; may be zero. */
  public Duration getDrainTimeout() {
    return drainTimeout;
  }

  /** Sets {@link #getDrainTimeout()}. */
  public QueueWorkerOptions setDrainTimeout(Duration drainTimeout) {
    this.drainTimeout = drainTimeout;
    return this;
  }

  @Override
  public String toString() {
    return "QueueWorkerOptions";
  }
}
