package io.runtimestate.lease;

import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.List;

/**
 * The end of everything that is held when the runtime closes: all of it is lost at once, and given
 * back a bounded number at a time, for a bounded time. Touched by the loop only.
 */
final class Farewell {
  private static final int AT_ONCE = 1_000;
  private static final long TIMEOUT_MILLIS = 500;

  private final LeaseLoop loop;
  private final Iterator<Upkeep> left;
  private Promise<Void> done;
  private long timer;
  private int onTheirWay;
  private boolean over;

  Farewell(LeaseLoop loop, List<Upkeep> kept) {
    this.loop = loop;
    this.left = kept.iterator();
  }

  void run(Promise<Void> promise) {
    done = promise;
    loop.alarms().close();
    timer = loop.startTimer(TIMEOUT_MILLIS, this::end);
    goOn();
  }

  /** Whoever cannot be given back in time ends with its lease, and is told here all the same. */
  private void goOn() {
    while (!over && left.hasNext() && onTheirWay < AT_ONCE) {
      onTheirWay++;
      left.next().close(TIMEOUT_MILLIS).onComplete(gone -> loop.later(this::oneIsGone));
    }
    if (onTheirWay == 0 && !left.hasNext()) {
      end();
    }
  }

  private void oneIsGone() {
    onTheirWay--;
    goOn();
  }

  private void end() {
    if (!over) {
      over = true;
      loop.cancelTimer(timer);
      left.forEachRemaining(upkeep -> upkeep.close(TIMEOUT_MILLIS));
      done.complete();
    }
  }
}
