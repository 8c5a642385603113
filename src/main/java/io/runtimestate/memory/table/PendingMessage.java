package io.runtimestate.memory.table;

import io.runtimestate.data.EntryId;
import io.runtimestate.data.PendingEntry;
import io.runtimestate.data.QueueEntry;
import java.time.Duration;

/** An entry that was delivered to a group and not acknowledged. */
final class PendingMessage implements IdList.Element {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Message message;
  GroupConsumer consumer;
  private long idleSince;
  private long deliveryCount;
  private boolean nacked;

  PendingMessage(Message message, GroupConsumer consumer, long now) {
    this.message = message;
    this.consumer = consumer;
    this.idleSince = now;
    this.deliveryCount = 1;
  }

  @Override
  public EntryId id() {
    return message.id();
  }

  boolean isClaimable(long minIdleMillis, long now) {
    return nacked || idleMillis(now) >= minIdleMillis;
  }

  void redelivered(long now) {
    deliveryCount++;
    extend(now);
  }

  void extend(long now) {
    idleSince = now;
    nacked = false;
  }

  /** A second time it changes nothing. */
  void nack(boolean countDelivery, long now) {
    if (!nacked) {
      nacked = true;
      idleSince = now;
      deliveryCount -= countDelivery || deliveryCount == 0 ? 0 : 1;
    }
  }

  long idleMillis(long now) {
    return Math.max(0, now - idleSince) / NANOS_PER_MILLI;
  }

  QueueEntry delivered() {
    return new QueueEntry(id().toString(), message.fields, deliveryCount);
  }

  PendingEntry described(long now) {
    Duration idle = Duration.ofMillis(idleMillis(now));
    return new PendingEntry(id().toString(), consumer.name(), idle, deliveryCount, nacked);
  }
}
