package io.runtimestate.worker;

import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs the handler and records how it ended. An entry holds its place until that is recorded, so a
 * backend that is away slows the worker down instead of filling it up.
 */
final class Handling {
  private final QueueWorker worker;
  private final WorkerSettings settings;
  private final Shift shift;
  private final WorkContext context;
  private final Parking parking;
  private final Map<String, Delivery> running = new HashMap<>();
  private final TreeMap<EntryId, QueueEntry> waiting = new TreeMap<>();
  private Promise<Void> drained;
  private boolean abandoned;

  Handling(QueueWorker worker, Shift shift, Parking parking) {
    this.worker = worker;
    this.settings = worker.settings();
    this.shift = shift;
    this.context = shift.context();
    this.parking = parking;
  }

  /** How many more entries could be handled now. */
  int free() {
    int places = settings.concurrency() - running.size() - waiting.size();
    return Math.min(places, worker.demand().open() - waiting.size());
  }

  /** The entries in the hands of this worker. */
  List<String> ids() {
    List<String> ids = new ArrayList<>(running.keySet());
    waiting.values().forEach(entry -> ids.add(entry.id()));
    return ids;
  }

  /** Takes entries, lowest id first; one that is here already is not taken again. */
  void receive(List<QueueEntry> entries) {
    for (QueueEntry entry : entries) {
      parking.forget(entry.id());
      if (!running.containsKey(entry.id())) {
        waiting.put(EntryId.parse(entry.id()), entry);
      }
    }
    startWaiting();
  }

  private void startWaiting() {
    while (!shift.isClosing() && !waiting.isEmpty() && running.size() < settings.concurrency()) {
      begin(new Delivery(waiting.pollFirstEntry().getValue()));
    }
    worker.counters().inFlight.set(running.size());
  }

  private void begin(Delivery delivery) {
    running.put(delivery.id(), delivery);
    long earlier = delivery.entry.deliveryCount() - 1;
    if (settings.isExhaustedBy(earlier)) {
      delivery.settled = true;
      archive(delivery, earlier, DeadLetter.EXHAUSTED);
    } else {
      handle(delivery, new QueueMessage(delivery.entry));
    }
  }

  /** The end is always a task of its own: a handler that ends at once must not grow the stack. */
  private void handle(Delivery delivery, QueueMessage message) {
    delivery.cancelTimer =
        context.after(
            settings.handlerTimeout(),
            () -> ended(delivery, failure("the handler did not end within handlerTimeout")));
    message.settled().onComplete(end -> soon(delivery, end.cause()));
    try {
      Future<?> end = worker.handle(message);
      if (end == null) {
        message.fail(failure("the handler returned no future"));
      } else {
        end.onComplete(done -> message.ack(), message::fail);
      }
    } catch (Throwable thrown) {
      message.fail(thrown);
    }
  }

  private static RuntimeStateException failure(String reason) {
    return new RuntimeStateException(FailureCode.INTERNAL, "queue worker: " + reason);
  }

  private void soon(Delivery delivery, Throwable failure) {
    context.soon(() -> ended(delivery, failure));
  }

  private void ended(Delivery delivery, Throwable failure) {
    if (delivery.settled || abandoned) {
      return;
    }
    delivery.settled = true;
    delivery.cancelTimer.run();
    if (failure == null) {
      record(delivery, () -> worker.door().finish(delivery.id()), this::handled);
    } else if (failure == QueueMessage.UNSEEN) {
      giveBack(List.of(delivery.id())).onComplete(given -> release(delivery));
    } else {
      failed(delivery, failure);
    }
  }

  private void handled(Delivery delivery) {
    worker.counters().handled.incrementAndGet();
    release(delivery);
  }

  private void failed(Delivery delivery, Throwable failure) {
    worker.counters().failed.incrementAndGet();
    String error = ErrorText.of(failure);
    worker.counters().lastError = error;
    long deliveries = delivery.entry.deliveryCount();
    if (settings.isExhaustedBy(deliveries)) {
      archive(delivery, deliveries, error);
    } else {
      tryLater(delivery);
    }
  }

  /** Its idle time restarts now; whoever claims it next waits for minIdle from here at least. */
  private void tryLater(Delivery delivery) {
    parking.park(delivery.id(), delivery.entry.deliveryCount());
    worker.door().extend(List.of(delivery.id())).onComplete(extended -> release(delivery));
  }

  private void archive(Delivery delivery, long deliveries, String error) {
    Map<String, String> fields = DeadLetter.of(settings, delivery.entry, deliveries, error);
    record(delivery, () -> worker.door().transfer(delivery.id(), fields), this::archived);
  }

  private void archived(Delivery delivery) {
    worker.counters().deadLettered.incrementAndGet();
    release(delivery);
  }

  /** Records an end, again and again as long as that may succeed later. */
  private void record(
      Delivery delivery, Supplier<Future<Boolean>> attempt, Consumer<Delivery> done) {
    if (abandoned) {
      return;
    }
    attempted(attempt)
        .onComplete(
            own -> {
              if (own || delivery.unsure) {
                done.accept(delivery);
              } else {
                lost(delivery);
              }
            },
            failure -> notRecorded(delivery, attempt, done, failure));
  }

  /** An end that cannot even be told, such as one with too many fields, is a failure as well. */
  private Future<Boolean> attempted(Supplier<Future<Boolean>> attempt) {
    try {
      return attempt.get();
    } catch (RuntimeStateException invalid) {
      return context.failed(invalid);
    }
  }

  private void notRecorded(
      Delivery delivery,
      Supplier<Future<Boolean>> attempt,
      Consumer<Delivery> done,
      Throwable failure) {
    if (abandoned) {
      return;
    }
    shift.troubled(failure);
    if (failure instanceof RuntimeStateException known && known.isRetryable()) {
      delivery.unsure |= known.mayHaveBeenApplied();
      context.after(delivery.backoff.nextMillis(), () -> record(delivery, attempt, done));
    } else {
      lost(delivery);
    }
  }

  private void lost(Delivery delivery) {
    worker.counters().lost.incrementAndGet();
    release(delivery);
  }

  private void release(Delivery delivery) {
    running.remove(delivery.id(), delivery);
    startWaiting();
    if (drained != null && running.isEmpty()) {
      drained.tryComplete();
    }
    if (!shift.isClosing()) {
      shift.pump();
    }
  }

  /** Gives back what no handler has seen. */
  Future<?> giveBackWaiting() {
    List<String> ids = waiting.values().stream().map(QueueEntry::id).toList();
    waiting.clear();
    return giveBack(ids);
  }

  Future<?> giveBack(List<String> ids) {
    return ids.isEmpty() ? context.done(null) : worker.door().giveBack(ids);
  }

  /** Completes when nothing runs any more, or after that time. */
  Future<Void> drained(long timeoutMillis) {
    drained = context.promise();
    if (running.isEmpty() || timeoutMillis == 0) {
      drained.complete();
    } else {
      Runnable cancelTimer = context.after(timeoutMillis, drained::tryComplete);
      drained.future().onComplete(done -> cancelTimer.run());
    }
    return drained.future();
  }

  /** Whatever still runs is nobody's business any more; its entries stay pending. */
  void abandon() {
    abandoned = true;
    running.values().forEach(delivery -> delivery.cancelTimer.run());
    running.clear();
    worker.counters().inFlight.set(0);
  }
}
