package io.runtimestate.worker;

import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.TransferResult;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Puts dead letters back where they came from, oldest first: those that an interrupted call left
 * pending, then new ones. Each moves by a transfer, and of all transfers of one entry one succeeds,
 * so it does not matter who else is doing the same.
 */
public final class Redrive {
  private static final String GROUP = "redrive";
  private static final String BEGINNING = EntryId.ZERO.toString();
  private static final Duration LEFT_OVER = Duration.ofMillis(1);

  private final StateBackend door;
  private final WorkContext context;
  private final String deadLetters;
  private final int count;
  private final Promise<Long> result;
  private long moved;

  private Redrive(Vertx vertx, StateBackend door, String deadLetters, int count) {
    this.door = door;
    this.context = WorkContext.ofCaller(vertx);
    this.deadLetters = deadLetters;
    this.count = count;
    this.result = context.promise();
  }

  /**
   * Moves up to {@code count} dead letters back, 1 to 10 000. What is no dead letter of a worker
   * stays where it is, pending in the group {@code redrive}.
   *
   * @return how many this call moved; what a failed call moved stays moved
   */
  public static Future<Long> run(Vertx vertx, StateBackend door, String deadLetters, int count) {
    Redrive redrive = new Redrive(vertx, door, deadLetters, count);
    return redrive.run();
  }

  private Future<Long> run() {
    try {
      QueueOperation.Claim first = claiming(BEGINNING); // checks the arguments before any effect
      door.execute(new QueueOperation.EnsureGroup(deadLetters, GROUP, BEGINNING))
          .onComplete(group -> claim(first), result::fail);
    } catch (RuntimeStateException invalid) {
      result.fail(invalid);
    }
    return result.future();
  }

  private QueueOperation.Claim claiming(String start) {
    int left = (int) (count - moved);
    return new QueueOperation.Claim(deadLetters, GROUP, GROUP, LEFT_OVER, start, left);
  }

  private void claim(QueueOperation.Claim claim) {
    door.execute(claim).onComplete(this::claimed, result::fail);
  }

  private void claimed(ClaimPage page) {
    move(
        page.entries().iterator(),
        () -> {
          if (page.isLast()) {
            read();
          } else {
            claim(claiming(page.next()));
          }
        });
  }

  private void read() {
    int left = (int) (count - moved);
    door.execute(new QueueOperation.Read(deadLetters, GROUP, GROUP, left, Optional.empty()))
        .onComplete(this::received, result::fail);
  }

  private void received(List<QueueEntry> letters) {
    if (letters.isEmpty()) {
      result.complete(moved);
    } else {
      move(letters.iterator(), this::read);
    }
  }

  /** One after the other, each in a task of its own so that many do not grow the stack. */
  private void move(Iterator<QueueEntry> letters, Runnable then) {
    if (moved == count) {
      result.complete(moved);
    } else if (letters.hasNext()) {
      moveBack(letters.next())
          .onComplete(
              transferred -> {
                moved += transferred ? 1 : 0;
                context.soon(() -> move(letters, then));
              },
              result::fail);
    } else {
      then.run();
    }
  }

  private Future<Boolean> moveBack(QueueEntry letter) {
    String source = DeadLetter.source(letter).orElse("");
    try {
      return door.execute(transfer(letter, source)).map(TransferResult::isTransferred);
    } catch (RuntimeStateException noDeadLetter) {
      return context.done(false);
    }
  }

  private QueueOperation.Transfer transfer(QueueEntry letter, String source) {
    Map<String, String> fields = DeadLetter.original(letter);
    return new QueueOperation.Transfer(
        deadLetters, GROUP, letter.id(), source, fields, OptionalLong.empty(), Optional.empty());
  }
}
