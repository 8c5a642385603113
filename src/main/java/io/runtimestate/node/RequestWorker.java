package io.runtimestate.node;

import io.runtimestate.RuntimeState;
import io.runtimestate.worker.QueueMessage;
import io.runtimestate.worker.QueueWorker;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Adds up the bytes of each client from the entries of a stream.
 *
 * <p>Delivery is at least once, so counting must come to the same when it is done again: it does
 * not add to a number but sets, under the line of the request, how many bytes that line has. There
 * is no moment at which a request is marked and not counted or counted and not marked, whenever a
 * worker dies. The sum is taken by whoever reads.
 */
final class RequestWorker {
  private final RuntimeState state;
  private final WorkOrder order;
  private final Runnable onHold;
  private final QueueWorker worker;
  private long counted; // only on the worker's context

  /**
   * @param onHold called when it begins to hold what it counts
   */
  RequestWorker(RuntimeState state, WorkOrder order, Runnable onHold) {
    this.state = state;
    this.order = order;
    this.onHold = onHold;
    this.worker = state.queues().worker(order.options(), this::handle);
  }

  Future<Void> start() {
    return worker.start();
  }

  /** Closes the worker and then the runtime. */
  Future<Void> close() {
    return worker.close().eventually(state::close);
  }

  private Future<?> handle(QueueMessage message) {
    return Future.all(count(message), noteDelivery(message)).compose(done -> settle());
  }

  private Future<?> count(QueueMessage message) {
    String client = message.fields().get(QueueStage.CLIENT);
    double bytes = Double.parseDouble(message.fields().get(QueueStage.BYTES));
    return set(order.counted() + client, message, bytes);
  }

  private Future<?> noteDelivery(QueueMessage message) {
    return message.deliveryCount() == 1
        ? Future.succeededFuture()
        : set(order.redelivered(), message, message.deliveryCount());
  }

  private Future<?> set(String key, QueueMessage message, double score) {
    String line = message.fields().get(QueueStage.LINE);
    return state
        .scores()
        .recordSample(
            key, line, score, OptionalDouble.empty(), OptionalInt.empty(), ReplayKeys.LIFETIME);
  }

  /** Counted and not acknowledged is what a death must not make count twice. */
  private Future<?> settle() {
    counted++;
    if (order.holdAfter() == 0 || counted <= order.holdAfter()) {
      return Future.succeededFuture();
    }
    if (counted == order.holdAfter() + 1) {
      onHold.run();
    }
    return Promise.promise().future();
  }
}
