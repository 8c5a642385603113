package io.runtimestate.support;

import java.util.concurrent.atomic.AtomicLong;

/** What a {@link FaultProxy} does to its connections now. Written by tests, read by its loop. */
final class FaultPlan {

  static final long NEVER = -1;

  volatile boolean stalled;
  volatile boolean muted;
  volatile boolean refusing;
  volatile boolean cutAtReply;
  volatile long delayMillis;
  volatile int chunk;
  volatile long requestBytesLeft = NEVER;
  volatile long repliesLeft = NEVER;

  final AtomicLong bytesToServer = new AtomicLong();
  final AtomicLong bytesToClient = new AtomicLong();

  /** Nothing that shapes replies: they may go out as they come. */
  boolean repliesFlow() {
    return delayMillis == 0 && chunk == 0;
  }
}
