package io.runtimestate.lease;

import io.vertx.core.Completable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All waiting lines of a runtime. A line exists, for every thread, from the moment somebody joins
 * it until the last one has left; what happens in it happens on the loop.
 */
final class Lines {
  private final LeaseLoop loop;
  private final boolean releasesMayPassElsewhere;
  private final Map<Object, Line> lines = new ConcurrentHashMap<>();
  private final AtomicLong tickets = new AtomicLong();
  private volatile boolean closed;

  /**
   * @param releasesMayPassElsewhere whether others than this runtime use the store
   */
  Lines(LeaseLoop loop, boolean releasesMayPassElsewhere) {
    this.loop = loop;
    this.releasesMayPassElsewhere = releasesMayPassElsewhere;
  }

  LeaseLoop loop() {
    return loop;
  }

  boolean releasesMayPassElsewhere() {
    return releasesMayPassElsewhere;
  }

  boolean isClosed() {
    return closed;
  }

  /** The line of that name; null if nobody waits. */
  Line find(Object name) {
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
  void released(Object name) {
    Line line = find(name);
    if (line != null) {
      loop.later(line::wake);
    }
  }

  /** On the loop: everybody leaves. */
  void close() {
    closed = true;
    List.copyOf(lines.values()).forEach(Line::dismissAll);
  }
}
