package io.runtimestate.lease;

import io.runtimestate.spi.Contended;
import io.runtimestate.spi.ReleaseNotices;
import io.vertx.core.Completable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * All waiting lines of a runtime. A line exists, for every thread, from the moment somebody joins
 * it until the last one has left; what happens in it happens on the loop.
 */
final class Lines {
  private final LeaseLoop loop;
  private final boolean releasesMayPassElsewhere;
  private final ReleaseNotices notices;
  private final Supplier<Pauses> pauses;
  private final Map<Contended, Line> lines = new ConcurrentHashMap<>();
  private final AtomicLong tickets = new AtomicLong();
  private volatile boolean closed;

  /**
   * @param releasesMayPassElsewhere whether others than this runtime use the store
   * @param notices tells of such releases, as far as it can
   * @param pauses between tries that nothing else makes due
   */
  Lines(
      LeaseLoop loop,
      boolean releasesMayPassElsewhere,
      ReleaseNotices notices,
      Supplier<Pauses> pauses) {
    this.loop = loop;
    this.pauses = pauses;
    this.notices = notices;
    this.releasesMayPassElsewhere = releasesMayPassElsewhere;
  }

  LeaseLoop loop() {
    return loop;
  }

  boolean releasesMayPassElsewhere() {
    return releasesMayPassElsewhere;
  }

  Pauses pauses() {
    return pauses.get();
  }

  ReleaseNotices notices() {
    return notices;
  }

  boolean isClosed() {
    return closed;
  }

  /** The line of that name; null if nobody waits. */
  Line find(Contended name) {
    return lines.isEmpty() ? null : lines.get(name);
  }

  /** Somebody who will wait; the order of these calls is the order in line. */
  <G> Waiter<G> waiter(Contest<G> contest, Duration wait, Completable<Optional<G>> outcome) {
    long deadline = System.nanoTime() + wait.toNanos();
    return new Waiter<>(contest, tickets.incrementAndGet(), deadline, outcome);
  }

  /** Puts somebody in line. */
  void enter(Waiter<?> waiter) {
    Line line =
        lines.compute(
            waiter.contest.line(),
            (name, found) -> {
              Line joined =
                  found == null ? new Line(this, name, waiter.contest.isExclusive()) : found;
              joined.members = joined.members + 1;
              return joined;
            });
    waiter.line = line;
    loop.run(() -> line.join(waiter));
  }

  void left(Line line) {
    lines.computeIfPresent(
        line.name(),
        (name, found) -> {
          found.members = found.members - 1;
          return found.members == 0 ? null : found;
        });
  }

  /** Tells a line that a place may be free; never inside the release itself. */
  void released(Contended name) {
    Line line = find(name);
    if (line != null) {
      loop.later(line::wake);
    }
  }

  /** The same for a release elsewhere, by any thread. */
  void told(Line line) {
    loop.later(line::wakeOnNotice);
  }

  /** On the loop: everybody leaves. */
  void close() {
    closed = true;
    List.copyOf(lines.values()).forEach(Line::dismissAll);
  }
}
