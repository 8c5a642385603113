package io.runtimestate.soak;

import io.runtimestate.support.Await;
import io.runtimestate.worker.QueueMessage;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A worker with an access of its own to the store. */
final class SoakProcess {
  private static final Duration MIN_IDLE = Duration.ofMillis(400);
  private static final IllegalStateException POISON = new IllegalStateException("poison");

  private final Ledger ledger;
  private final SoakStore.Access access;
  private final String consumer;
  private final QueueWorker worker;

  SoakProcess(Ledger ledger, SoakStore.Access access, Soak.Streams streams, String consumer) {
    this.ledger = ledger;
    this.access = access;
    this.consumer = consumer;
    this.worker = access.state().queues().worker(options(streams, consumer), this::handle);
  }

  private static QueueWorkerOptions options(Soak.Streams streams, String consumer) {
    return new QueueWorkerOptions(streams.work(), streams.group(), consumer)
        .setConcurrency(64)
        .setBatch(32)
        .setBlock(Duration.ofMillis(150))
        .setMinIdle(MIN_IDLE)
        .setReclaimInterval(Duration.ofMillis(100))
        .setRetryDelayMax(MIN_IDLE)
        .setConsumerTtl(Duration.ofSeconds(2))
        .setDeadLetterStream(streams.dead())
        .setMaxDeliveries(Ledger.MAX_DELIVERIES)
        .setDrainTimeout(Duration.ofSeconds(2));
  }

  SoakProcess start() {
    Await.get(worker.start());
    return this;
  }

  private Future<?> handle(QueueMessage message) {
    int number = Ledger.number(message.fields());
    if (!ledger.handled(message)) {
      return Future.failedFuture(POISON);
    }
    if (number % 16 != 0 && !ledger.isSlow(number)) {
      ledger.succeeded(number);
      return Future.succeededFuture();
    }
    long millis = ledger.isSlow(number) ? 2 * MIN_IDLE.toMillis() : 1 + number % 5;
    return Vertx.currentContext()
        .owner()
        .timer(millis, TimeUnit.MILLISECONDS)
        .onSuccess(end -> ledger.succeeded(number))
        .mapEmpty();
  }

  String consumer() {
    return consumer;
  }

  SoakStore.Access access() {
    return access;
  }

  void crash() {
    access.kill();
  }

  void stop() {
    Await.get(worker.close());
    access.close();
  }
}
