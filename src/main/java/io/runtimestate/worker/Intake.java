package io.runtimestate.worker;

import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.ConsumerInfo;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.GroupInfo;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.QueueOperation.Read;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Receives entries: new ones by a read that waits, left-over ones by claims at every tick. While a
 * tick is due, claims go before reads, so that a busy stream cannot starve what others left behind.
 *
 * <p>One pause serves both: after a failure nothing is asked until it is over. A stream or group
 * that has gone is made again, once for all who noticed.
 */
final class Intake {
  private static final String BEGINNING = EntryId.ZERO.toString();
  private static final int PAGES_PER_TICK = 1_000;
  private static final long LONGEST_TIDY_INTERVAL = 60_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final Runnable NOTHING = () -> {};

  private final QueueWorker worker;
  private final WorkerSettings settings;
  private final WorkerDoor door;
  private final Shift shift;
  private final WorkContext context;
  private final Handling handling;
  private final Backoff backoff = new Backoff();
  private Read read;
  private Future<?> lastRead;
  private Future<?> lastClaim;
  private String cursor = BEGINNING;
  private int claimed; // how many the claim under way asks for
  private int pagesDue;
  private Runnable cancelTicker = NOTHING;
  private Runnable cancelPause = NOTHING;
  private boolean paused;
  private int generation; // of the group: what was asked of an earlier one proves nothing
  private long tidiedAt;

  Intake(QueueWorker worker, Shift shift, Handling handling) {
    this.worker = worker;
    this.settings = worker.settings();
    this.door = worker.door();
    this.shift = shift;
    this.context = shift.context();
    this.handling = handling;
    this.lastRead = context.done(null);
    this.lastClaim = context.done(null);
  }

  void start() {
    tidiedAt = System.nanoTime();
    cancelTicker = context.every(settings.reclaimInterval(), this::tick);
    pump();
  }

  /** Asks for nothing more and ends the read that waits; completes when nothing is under way. */
  Future<?> stop() {
    cancelTicker.run();
    cancelPause.run();
    if (read != null) {
      door.end(read);
    }
    return Future.join(lastRead, lastClaim);
  }

  private void tick() {
    pagesDue = PAGES_PER_TICK;
    pump();
    tidy();
  }

  /** Asks for whatever there is room for; a claim keeps its part of the room for itself. */
  void pump() {
    if (shift.isClosing() || paused) {
      return;
    }
    int free = handling.free();
    if (pagesDue > 0 && claimed == 0 && free > 0) {
      claim(Math.min(settings.batch(), free));
    }
    int room = Math.min(settings.batch(), handling.free() - claimed);
    if (read == null && room > 0) {
      read(room);
    }
  }

  private void read(int count) {
    Read mine = door.reading(count);
    int asked = generation;
    read = mine;
    lastRead =
        door.read(mine)
            .compose(
                entries -> {
                  read = null;
                  return received(entries);
                })
            .onComplete(
                received -> goOn(),
                failure -> {
                  read = null;
                  failed(failure, asked);
                });
  }

  private void claim(int count) {
    int asked = generation;
    claimed = count;
    pagesDue--;
    lastClaim =
        door.claim(cursor, count)
            .compose(this::arrived)
            .onComplete(
                received -> {
                  claimed = 0;
                  goOn();
                },
                failure -> {
                  claimed = 0;
                  pagesDue = 0;
                  failed(failure, asked);
                });
  }

  private Future<?> arrived(ClaimPage page) {
    cursor = page.next();
    pagesDue = page.isLast() ? 0 : pagesDue;
    worker.counters().vanished.addAndGet(page.deletedIds().size());
    worker.counters().reclaimed.addAndGet(page.entries().size());
    return received(page.entries());
  }

  /** What arrives too late is given back. */
  private Future<?> received(List<QueueEntry> entries) {
    backoff.reset();
    if (shift.isClosing()) {
      return handling.giveBack(entries.stream().map(QueueEntry::id).toList());
    }
    handling.receive(entries);
    return context.done(null);
  }

  /** A task of its own: an answer that comes at once must not grow the stack. */
  private void goOn() {
    shift.pumpSoon();
  }

  private void failed(Throwable failure, int asked) {
    FailureCode code = codeOf(failure);
    if (code == FailureCode.CLOSED) {
      shift.gone();
    } else if (isGone(code)) {
      if (asked == generation) {
        recreate(failure);
      } else {
        goOn();
      }
    } else if (!shift.isClosing()) {
      worker.report(failure);
      pauseFor(backoff.nextMillis(), this::pump);
    }
  }

  /** Something else of this worker failed; the pauses are for what is asked here. */
  void troubled(Throwable failure) {
    if (isGone(codeOf(failure))) {
      return; // the next read or claim notices too
    }
    if (codeOf(failure) == FailureCode.CLOSED) {
      shift.gone();
    } else {
      worker.report(failure);
    }
  }

  private static FailureCode codeOf(Throwable failure) {
    return failure instanceof RuntimeStateException known ? known.code() : FailureCode.INTERNAL;
  }

  private static boolean isGone(FailureCode code) {
    return code == FailureCode.NO_SUCH_STREAM || code == FailureCode.NO_SUCH_GROUP;
  }

  private void pauseFor(long millis, Runnable then) {
    if (!paused && !shift.isClosing()) {
      paused = true;
      cancelPause =
          context.after(
              millis,
              () -> {
                paused = false;
                then.run();
              });
    }
  }

  /** Makes the group again, from the beginning: nothing appended meanwhile is skipped. */
  private void recreate(Throwable noticed) {
    if (!shift.isClosing()) {
      generation++;
      cursor = BEGINNING;
      worker.report(noticed);
      recreateAfterPause();
    }
  }

  private void recreateAfterPause() {
    cancelPause.run();
    paused = false;
    pauseFor(backoff.nextMillis(), this::recreateNow);
  }

  /** Nothing is asked until the group is there. */
  private void recreateNow() {
    paused = true;
    door.ensureGroup(BEGINNING)
        .onComplete(
            created -> {
              paused = false;
              worker.counters().groupRecreated.addAndGet(created ? 1 : 0);
              pump();
            },
            failure -> {
              troubled(failure);
              recreateAfterPause();
            });
  }

  /** Removes consumers that have been idle for long and have nothing pending. */
  private void tidy() {
    long interval = Math.min(settings.consumerTtl(), LONGEST_TIDY_INTERVAL);
    if (System.nanoTime() - tidiedAt >= interval * NANOS_PER_MILLI && !shift.isClosing()) {
      tidiedAt = System.nanoTime();
      door.ownGroup().onComplete(this::tidy, this::troubled);
    }
  }

  private void tidy(Optional<GroupInfo> group) {
    group.stream()
        .flatMap(found -> found.consumers().stream())
        .filter(this::isLeftOver)
        .forEach(consumer -> door.removeConsumer(consumer.name()).onFailure(this::troubled));
  }

  private boolean isLeftOver(ConsumerInfo consumer) {
    return consumer.pending() == 0
        && consumer.idle().toMillis() >= settings.consumerTtl()
        && !consumer.name().equals(settings.consumer());
  }
}
