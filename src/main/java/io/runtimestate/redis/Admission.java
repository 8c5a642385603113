package io.runtimestate.redis;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bounds of one lane: commands and bytes that have been accepted and not been answered. A
 * timed-out command counts until its reply is read, because it still has its place in the
 * connection. Counted when a call is made, on any thread, so that the way to the lane is bounded
 * too.
 */
final class Admission {
  private final int maxCommands;
  private final long maxBytes;
  private final LaneMeter meter;
  private final AtomicInteger commands = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  Admission(int maxCommands, long maxBytes, LaneMeter meter) {
    this.maxCommands = maxCommands;
    this.maxBytes = maxBytes;
    this.meter = meter;
  }

  /** Takes a place; if there is none, why. An idle lane has a place for one command of any size. */
  Optional<String> enter(int size) {
    int others = commands.getAndIncrement();
    long used = bytes.getAndAdd(size);
    if (others < maxCommands && (others == 0 || used + size <= maxBytes)) {
      meter.pending(1);
      return Optional.empty();
    }
    commands.decrementAndGet();
    bytes.addAndGet(-size);
    return Optional.of(full(others, used));
  }

  void leave(int size) {
    commands.decrementAndGet();
    bytes.addAndGet(-size);
    meter.pending(-1);
  }

  boolean isEmpty() {
    return commands.get() == 0;
  }

  private String full(int others, long used) {
    return others >= maxCommands
        ? "redis.maxPendingCommands is " + maxCommands + ", in use " + others
        : "redis.maxPendingBytes is " + maxBytes + ", in use " + used;
  }
}
