package io.runtimestate.soak;

import io.runtimestate.Queues;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Appends all messages in their order, without running far ahead of the handlers. What may have
 * been appended is not appended again.
 */
final class SoakProducer {
  private static final int MOST_OPEN = 1_500;
  private static final int LARGEST_BATCH = 50;
  private static final long PAUSE_MILLIS = 5;

  private final Ledger ledger;
  private final Queues queues;
  private final String stream;
  private final Random random;
  private final Context context;
  private final Promise<Void> done = Promise.promise();
  private volatile int allowed;
  private int next;

  SoakProducer(Ledger ledger, Queues queues, String stream, long seed, Context context) {
    this.ledger = ledger;
    this.queues = queues;
    this.stream = stream;
    this.random = new Random(seed);
    this.context = context;
  }

  Future<Void> start() {
    context.runOnContext(now -> goOn());
    return done.future();
  }

  /** Lets it append so many in all. */
  void allow(int messages) {
    allowed = Math.min(messages, ledger.messages());
  }

  private void goOn() {
    if (next == ledger.messages()) {
      done.complete();
    } else if (next >= allowed || ledger.open() > MOST_OPEN) {
      later();
    } else {
      append(Math.min(1 + random.nextInt(LARGEST_BATCH), allowed - next));
    }
  }

  private void later() {
    context.owner().setTimer(PAUSE_MILLIS, due -> goOn());
  }

  private void append(int count) {
    List<Integer> numbers = IntStream.range(next, next + count).boxed().toList();
    added(numbers)
        .onComplete(
            ids -> {
              for (int i = 0; i < count; i++) {
                ledger.appended(numbers.get(i), ids.get(i));
              }
              next += count;
              goOn();
            },
            failure -> failed(failure, count));
  }

  private Future<List<String>> added(List<Integer> numbers) {
    return numbers.size() == 1
        ? queues.append(stream, Ledger.fields(numbers.get(0))).map(List::of)
        : queues.appendAll(stream, numbers.stream().map(Ledger::fields).toList());
  }

  private void failed(Throwable failure, int count) {
    RuntimeStateException known = (RuntimeStateException) failure;
    if (!known.isRetryable()) {
      done.fail(known);
      return;
    }
    if (known.mayHaveBeenApplied()) {
      ledger.appendedPerhaps(count);
      next += count;
    }
    later();
  }
}
