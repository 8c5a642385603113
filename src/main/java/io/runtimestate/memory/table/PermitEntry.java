package io.runtimestate.memory.table;

/** A permit that is held, under its token, in the tables of its semaphore. */
public final class PermitEntry extends Entry {
  final SemaphoreEntry semaphore;
  final long bytes;

  PermitEntry(SemaphoreEntry semaphore, String token, long bytes) {
    super(token);
    this.semaphore = semaphore;
    this.bytes = bytes;
  }

  @Override
  public void expire() {
    semaphore.expire(this);
  }
}
