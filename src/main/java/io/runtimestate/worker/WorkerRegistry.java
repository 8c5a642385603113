package io.runtimestate.worker;

/**
 * Where workers sign in while they work, so that whoever closes their door can close them first.
 */
public interface WorkerRegistry {
  /** Signs in; false if the door is closed. */
  boolean enter(QueueWorker worker);

  /** Signs off; idempotent. */
  void leave(QueueWorker worker);
}
