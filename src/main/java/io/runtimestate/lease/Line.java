package io.runtimestate.lease;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.Contended;
import java.time.Duration;
import java.util.Optional;

/**
 * Those who wait for one lock or semaphore, first come, first served. Only the front tries: when it
 * becomes the front, when a release is seen, when the time of a holder is over and, where releases
 * may pass elsewhere, when one is told of and after pauses. Touched by the loop only, except where
 * noted.
 */
final class Line {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long TIMEOUT_OF_LAST_ATTEMPT_MILLIS = 2_000;

  private final Lines lines;
  private final Contended name;
  private final Pauses pauses;
  private final Alarm next = new NextAttempt();
  // read by any thread; the first is changed by Lines, in one step with the line's place in its map
  volatile int members;
  private volatile boolean standing;
  private volatile String admitted;
  private Waiter<?> first;
  private Waiter<?> last;
  private Waiter<?> trying;
  private boolean asking;
  private boolean releaseSeen;
  private boolean listening;
  private int round;

  /**
   * @param strict whether also a single one in its first attempt stands in line
   */
  Line(Lines lines, Contended name, boolean strict) {
    this.lines = lines;
    this.name = name;
    this.standing = strict;
    this.pauses = lines.pauses();
  }

  private final class NextAttempt extends Alarm {
    @Override
    void ring() {
      attempt();
    }
  }

  Lines lines() {
    return lines;
  }

  Contended name() {
    return name;
  }

  /** Whether an acquisition would overtake somebody; from any thread. */
  boolean isPassedBy(String token) {
    return (standing || members > 1) && !admits(token);
  }

  /** Whether an acquisition is the front's own; from any thread. */
  boolean admits(String token) {
    return token.equals(admitted);
  }

  void join(Waiter<?> waiter) {
    if (lines.isClosed()) {
      dismiss(waiter);
    } else if (!waiter.gone) {
      link(waiter);
      lines.loop().alarms().set(waiter, waiter.deadline);
      goOn();
    }
  }

  /** A release through this runtime was seen: a place may be free. */
  void wake() {
    pauses.reset();
    wakeOnNotice();
  }

  /** One elsewhere was told of; pauses go on growing, since all runtimes that wait now try. */
  void wakeOnNotice() {
    releaseSeen = true;
    if (trying == null) {
      attempt();
    }
  }

  /** The end of a wait. The answer of an attempt on its way is still worth waiting for. */
  void timeIsUp(Waiter<?> waiter) {
    if (waiter == trying) {
      waiter.timeIsUp = true;
    } else {
      letGo(waiter);
    }
  }

  /** Ends a wait at once, even one that has not begun. */
  void dismiss(Waiter<?> waiter) {
    if (!waiter.gone) {
      unlink(waiter);
      waiter.finishClosed(false);
      goOn();
    }
  }

  void dismissAll() {
    while (first != null) {
      dismiss(first);
    }
  }

  /** Makes sure that something will make the front try. */
  private void goOn() {
    if (first != null && trying == null && !asking && !next.isSet()) {
      attempt();
    }
  }

  private void attempt() {
    lines.loop().alarms().cancel(next);
    if (first != null && trying == null) {
      trying = first;
      asking = false;
      releaseSeen = false;
      round++;
      attempt(first);
    }
  }

  private <G> void attempt(Waiter<G> waiter) {
    admitted = waiter.contest.token();
    waiter
        .contest
        .attempt(timeoutOf(waiter))
        .onComplete((grant, failure) -> lines.loop().run(() -> attempted(waiter, grant, failure)));
  }

  private <G> void attempted(Waiter<G> waiter, Optional<G> grant, Throwable failure) {
    trying = null;
    if (waiter.gone) {
      withdraw(waiter, grant, failure);
    } else if (failure != null) {
      failed(waiter, known(failure));
    } else if (grant.isPresent()) {
      granted(waiter, grant);
    } else {
      refused(waiter);
    }
  }

  /** It left during its attempt. */
  private void withdraw(Waiter<?> waiter, Optional<?> grant, Throwable failure) {
    boolean nothing = failure == null && grant.isEmpty();
    if (!nothing) {
      waiter.contest.withdraw();
    }
    goOn();
  }

  private <G> void granted(Waiter<G> waiter, Optional<G> grant) {
    unlink(waiter);
    pauses.reset();
    if (first != null && waiter.contest.isExclusive() && !releaseSeen) {
      tryAgainIn(waiter.contest.ttl());
    }
    waiter.finish(grant);
    goOn();
  }

  private void refused(Waiter<?> waiter) {
    standing = true;
    waiter.refused();
    if (waiter.timeIsUp) {
      letGo(waiter);
    } else if (releaseSeen) {
      attempt();
    } else {
      askForTimeLeft(waiter);
    }
  }

  private void failed(Waiter<?> waiter, RuntimeStateException failure) {
    standing = true;
    boolean again = waiter.failed(failure);
    if (waiter.timeIsUp || !again) {
      letGo(waiter);
    } else {
      setNext(pauses.nextNanos());
    }
  }

  private void letGo(Waiter<?> waiter) {
    boolean wasFront = waiter == first;
    unlink(waiter);
    if (wasFront && !waiter.contest.isExclusive()) {
      lines.loop().alarms().cancel(next); // the next one may have another limit
      asking = false;
    }
    waiter.finish();
    goOn();
  }

  /** Listens first: a release is either told of from now on, or the answer knows of it. */
  private void askForTimeLeft(Waiter<?> waiter) {
    listen();
    asking = true;
    int asked = round;
    waiter
        .contest
        .timeLeft(timeoutOf(waiter))
        .onComplete(
            (left, failure) -> lines.loop().run(() -> heardTimeLeft(asked, left, failure != null)));
  }

  private void heardTimeLeft(int asked, Optional<Duration> left, boolean unknown) {
    if (asked == round && asking) {
      asking = false;
      if (unknown) {
        setNext(pauses.nextNanos());
      } else {
        tryAgainIn(left.orElse(Duration.ZERO));
      }
    }
  }

  private void tryAgainIn(Duration left) {
    long nanos = Math.max(NANOS_PER_MILLI, left.toNanos());
    setNext(lines.releasesMayPassElsewhere() ? Math.min(nanos, pauses.nextNanos()) : nanos);
  }

  private void setNext(long nanos) {
    if (first != null) {
      lines.loop().alarms().set(next, System.nanoTime() + nanos);
    }
  }

  /** Without a timeout of its own, an attempt must not outlast the wait for long. */
  static long timeoutOf(Waiter<?> waiter) {
    long timeout = waiter.contest.timeoutMillis();
    long left = Math.max(0, waiter.deadline - System.nanoTime()) / NANOS_PER_MILLI;
    return timeout > 0 ? timeout : left + TIMEOUT_OF_LAST_ATTEMPT_MILLIS;
  }

  static RuntimeStateException known(Throwable failure) {
    return failure instanceof RuntimeStateException known
        ? known
        : new RuntimeStateException(FailureCode.INTERNAL, "defect in an attempt", true, failure);
  }

  /** By the time of the call: others may have tried outside of the line before they joined it. */
  private void link(Waiter<?> waiter) {
    waiter.linked = true;
    standing |= first != null || waiter.wasRefused();
    Waiter<?> before = last;
    while (before != null && before.ticket > waiter.ticket) {
      before = before.before;
    }
    insert(waiter, before);
  }

  private void insert(Waiter<?> waiter, Waiter<?> before) {
    Waiter<?> after = before == null ? first : before.after;
    waiter.before = before;
    waiter.after = after;
    if (before == null) {
      first = waiter;
    } else {
      before.after = waiter;
    }
    if (after == null) {
      last = waiter;
    } else {
      after.before = waiter;
    }
  }

  private void unlink(Waiter<?> waiter) {
    waiter.gone = true;
    lines.loop().alarms().cancel(waiter);
    if (waiter.linked) {
      takeOut(waiter);
    }
    if (first == null) {
      lines.loop().alarms().cancel(next);
      stopListening();
    }
    lines.left(this);
  }

  private void listen() {
    if (!listening) {
      listening = true;
      lines.notices().listen(name, () -> lines.told(this));
    }
  }

  private void stopListening() {
    if (listening) {
      listening = false;
      lines.notices().unlisten(name);
    }
  }

  private void takeOut(Waiter<?> waiter) {
    if (waiter.before == null) {
      first = waiter.after;
    } else {
      waiter.before.after = waiter.after;
    }
    if (waiter.after == null) {
      last = waiter.before;
    } else {
      waiter.after.before = waiter.before;
    }
    waiter.before = null;
    waiter.after = null;
  }
}
