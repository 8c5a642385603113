package io.runtimestate.memory.table;

import io.runtimestate.data.ConsumerInfo;
import java.time.Duration;

/** A consumer that has received an entry, and what is pending for it. */
final class GroupConsumer {
  /** Estimated bytes beside the name. */
  static final int OVERHEAD = 128;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final String name;
  final IdList<PendingMessage> pending = new IdList<>();
  long lastReceived;

  GroupConsumer(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  ConsumerInfo info(long now) {
    long idle = Math.max(0, now - lastReceived) / NANOS_PER_MILLI;
    return new ConsumerInfo(name, pending.size(), Duration.ofMillis(idle));
  }
}
