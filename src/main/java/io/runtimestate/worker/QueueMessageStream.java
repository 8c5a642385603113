package io.runtimestate.worker;

import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The deliveries of a worker as a stream with demand. Every message must be settled by {@link
 * QueueMessage#ack} or {@link QueueMessage#fail}; one that is not within {@code handlerTimeout} has
 * failed. At most {@code concurrency} messages are unsettled at a time, and nothing is received
 * that nobody wants.
 *
 * <p>The stream flows once {@link #start} was called; a stream that is {@linkplain #pause paused}
 * before receives nothing. It ends when it is closed.
 */
public final class QueueMessageStream implements ReadStream<QueueMessage> {
  private final QueueWorker worker;
  // ---- on the worker's context only, before the start on the maker's ----
  private final Deque<QueueMessage> unwanted = new ArrayDeque<>();
  private Handler<QueueMessage> handler;
  private Handler<Void> endHandler;
  private long wanted = Long.MAX_VALUE;

  /** Makes a stream that is not started; see {@link QueueWorker} for the parameters. */
  public QueueMessageStream(
      Vertx vertx, StateBackend door, WorkerRegistry registry, QueueWorkerOptions options) {
    worker = new QueueWorker(vertx, door, registry, options, this::receive).onDemand(this::open);
  }

  /** As {@link QueueWorker#start}; messages are delivered on the caller's context. */
  public Future<Void> start() {
    return worker.start();
  }

  /** As {@link QueueWorker#close}; messages that nobody wanted are given back, the stream ends. */
  public Future<Void> close() {
    worker.confined(this::giveBack);
    return worker.close().onComplete(closed -> worker.confined(this::end));
  }

  /** As {@link QueueWorker#status}. */
  public QueueWorkerStatus status() {
    return worker.status();
  }

  @Override
  public QueueMessageStream exceptionHandler(Handler<Throwable> failures) {
    worker.exceptionHandler(failures);
    return this;
  }

  @Override
  public QueueMessageStream handler(Handler<QueueMessage> messages) {
    worker.confined(
        () -> {
          handler = messages;
          flow();
        });
    return this;
  }

  @Override
  public QueueMessageStream endHandler(Handler<Void> ended) {
    worker.confined(() -> endHandler = ended);
    return this;
  }

  @Override
  public QueueMessageStream pause() {
    worker.confined(() -> wanted = 0);
    return this;
  }

  @Override
  public QueueMessageStream resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public QueueMessageStream fetch(long amount) {
    worker.confined(
        () -> {
          wanted = wanted + amount < 0 ? Long.MAX_VALUE : wanted + amount;
          flow();
        });
    return this;
  }

  private int open() {
    return handler == null ? 0 : (int) Math.min(Integer.MAX_VALUE, wanted - unwanted.size());
  }

  private Future<?> receive(QueueMessage message) {
    unwanted.add(message);
    deliver();
    return message.settled();
  }

  private void flow() {
    deliver();
    worker.pump();
  }

  private void deliver() {
    while (wanted > 0 && handler != null && !unwanted.isEmpty()) {
      wanted -= wanted == Long.MAX_VALUE ? 0 : 1;
      handler.handle(unwanted.poll());
    }
  }

  private void giveBack() {
    unwanted.forEach(QueueMessage::giveBack);
    unwanted.clear();
  }

  private void end() {
    if (endHandler != null) {
      endHandler.handle(null);
      endHandler = null;
    }
  }
}
