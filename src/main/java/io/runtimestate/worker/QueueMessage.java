package io.runtimestate.worker;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;

/**
 * An entry in the hands of a worker's handler. It is settled once: by the future that the handler
 * returned, or by {@link #ack()} or {@link #fail}, whichever comes first.
 */
public final class QueueMessage {
  /** Stands for an end that is no failure. */
  static final RuntimeStateException UNSEEN =
      new RuntimeStateException(FailureCode.CLOSED, "queue worker: nobody has seen the message");

  private final QueueEntry entry;
  private final Promise<Void> settled = Promise.promise();

  QueueMessage(QueueEntry entry) {
    this.entry = entry;
  }

  /** The id of the entry. */
  public String id() {
    return entry.id();
  }

  /** The fields, in byte order of their names. */
  public Map<String, String> fields() {
    return entry.fields();
  }

  /** How often the entry was delivered, this time included; 1 the first time. */
  public long deliveryCount() {
    return entry.deliveryCount();
  }

  /** It was handled: it is acknowledged and not delivered again. */
  public void ack() {
    settled.tryComplete();
  }

  /** It could not be handled: it is delivered again later, or becomes a dead letter. */
  public void fail(Throwable reason) {
    settled.tryFail(reason);
  }

  /** Nobody has seen it: its delivery does not count. */
  void giveBack() {
    settled.tryFail(UNSEEN);
  }

  Future<Void> settled() {
    return settled.future();
  }

  @Override
  public String toString() {
    return "QueueMessage";
  }
}
