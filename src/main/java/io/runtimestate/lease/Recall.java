package io.runtimestate.lease;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** One release in the background. Touched by the loop only. */
final class Recall extends Alarm {
  private static final long TIMEOUT_MILLIS = 2_000;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;
  private static final int MOST_LOOKS = 4;
  private static final long FIRST_LOOK_AGAIN_NANOS = 500_000_000;
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Recalls recalls;
  private final LeaseLoop loop;
  private final String token;
  private final LongFunction<Future<Boolean>> release;
  private final long end;
  private final Pauses pauses = new Pauses(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
  private final List<Promise<Void>> stopping = new ArrayList<>(1);
  private boolean onItsWay;
  private int looks;
  private boolean stopped;

  Recall(
      Recalls recalls,
      LeaseLoop loop,
      String token,
      Duration ttl,
      LongFunction<Future<Boolean>> release) {
    this.recalls = recalls;
    this.loop = loop;
    this.token = token;
    this.release = release;
    this.end = System.nanoTime() + (ttl.compareTo(LONGEST) < 0 ? ttl : LONGEST).toNanos();
  }

  String token() {
    return token;
  }

  void begin() {
    if (!stopped) {
      onItsWay = true;
      release
          .apply(TIMEOUT_MILLIS)
          .onComplete((gone, failure) -> loop.run(() -> answered(gone, failure)));
    }
  }

  @Override
  void ring() {
    begin();
  }

  void stop(Promise<Void> done) {
    stopped = true;
    loop.alarms().cancel(this);
    if (onItsWay) {
      stopping.add(done);
    } else {
      done.complete();
    }
  }

  private void answered(Boolean gone, Throwable failure) {
    onItsWay = false;
    if (stopped) {
      stopping.forEach(Promise::complete);
    } else if (failure != null) {
      againIn(pauses.nextNanos());
    } else if (gone || ++looks == MOST_LOOKS) {
      recalls.ended(this);
    } else {
      againIn(FIRST_LOOK_AGAIN_NANOS << looks); // the lost request may still be on its way
    }
  }

  private void againIn(long nanos) {
    long due = System.nanoTime() + nanos;
    if (due - end < 0) {
      loop.alarms().set(this, due);
    } else {
      recalls.ended(this);
    }
  }
}
