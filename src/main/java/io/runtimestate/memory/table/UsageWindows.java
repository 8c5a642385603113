package io.runtimestate.memory.table;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.data.UsageRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * All sliding windows and their capacity.
 *
 * <p>Time is what the callers say it is, so a window that looks over to the backend may still count
 * for a caller whose clock lags. It is therefore forgotten only long after its last admitted check,
 * by the one expiry index, or when a call finds no room: then everything goes that is over by the
 * backend's own clock. Which windows those are is found by {@link #reclaimable}, where each stands
 * at a time that is never too late and may be too early; it is corrected when it comes up. So a
 * check moves a window's place only when it comes nearer, and a call that finds no room never looks
 * at more than it reclaims or corrects.
 */
public final class UsageWindows {
  private static final long GARBAGE_MARGIN_MILLIS = 60_000;

  private final ControlTable<UsageWindow> windows;
  private final int maxWindows;
  private final int maxEvents;
  private final ExpiryIndex reclaimable = new ExpiryIndex(); // by unix milliseconds of the backend
  private long events;

  /** The windows of an empty table. */
  public UsageWindows(ControlTable<UsageWindow> windows, int maxWindows, int maxEvents) {
    this.windows = windows;
    this.maxWindows = maxWindows;
    this.maxEvents = maxEvents;
  }

  /** How many events are stored, those included that count no longer and were not met since. */
  public long events() {
    return events;
  }

  /**
   * Counts an event in every window, or in none.
   *
   * @param now unix milliseconds of the caller
   * @param unixNow unix milliseconds of the backend
   * @param deadlineAfter makes a deadline of a number of milliseconds
   * @throws RuntimeStateException CAPACITY_EXHAUSTED if there is no room; nothing was counted
   */
  public UsageDecision consume(
      List<UsageRule> rules,
      String eventId,
      long now,
      long unixNow,
      LongUnaryOperator deadlineAfter) {
    rules.forEach(rule -> dropExpired(rule, now));
    for (int i = 0; i < rules.size(); i++) {
      Optional<Duration> wait = peek(rules.get(i), eventId, now).retryAfter();
      if (wait.isPresent()) {
        return new UsageDecision.Rejected(i, rules.get(i).limit(), wait.get());
      }
    }
    requireRoom(rules, eventId, unixNow);
    rules.forEach(rule -> count(rule, eventId, now, deadlineAfter));
    return new UsageDecision.Allowed();
  }

  /** What counting an event would find; changes nothing. */
  public List<UsagePeek> peek(List<UsageRule> rules, String eventId, long now) {
    List<UsagePeek> answers = new ArrayList<>(rules.size());
    rules.forEach(rule -> answers.add(peek(rule, eventId, now)));
    return Collections.unmodifiableList(answers);
  }

  /** Takes an event out of windows. */
  public void release(List<String> keys, String eventId) {
    for (String key : keys) {
      UsageWindow window = windows.find(key);
      UsageEvent event = window == null ? null : window.event(eventId);
      if (event != null && window.size() == 1) {
        windows.remove(window);
      } else if (event != null) {
        window.remove(event);
      }
    }
  }

  private void dropExpired(UsageRule rule, long now) {
    UsageWindow window = windows.find(rule.key());
    if (window != null) {
      drop(window, window.expired(now, rule.window().toMillis()));
    }
  }

  private void drop(UsageWindow window, int earliest) {
    if (earliest == window.size()) {
      windows.remove(window);
    } else if (earliest > 0) {
      window.removeEarliest(earliest);
    }
  }

  private UsagePeek peek(UsageRule rule, String eventId, long now) {
    UsageWindow window = windows.find(rule.key());
    if (window == null) {
      return new UsagePeek(0, rule.limit(), false, Optional.empty());
    }
    long length = rule.window().toMillis();
    int expired = window.expired(now, length);
    long used = window.size() - expired;
    boolean counted = window.counts(eventId, now, length);
    Optional<Duration> wait = Optional.empty();
    if (!counted && used >= rule.limit()) {
      long leaving = window.earliest((int) (expired + used - rule.limit())).at;
      wait = Optional.of(Duration.ofMillis(leaving + length - now));
    }
    return new UsagePeek(used, Math.max(0, rule.limit() - used), counted, wait);
  }

  private void count(UsageRule rule, String eventId, long now, LongUnaryOperator deadlineAfter) {
    UsageWindow window = windows.find(rule.key());
    if (window == null) {
      window = new UsageWindow(windows, this, rule.key());
      windows.add(window);
    }
    if (window.event(eventId) == null) {
      window.add(eventId, now);
    }
    long retention = rule.effectiveRetention().toMillis();
    window.used(now + retention, rule.window().toMillis());
    windows.schedule(window, deadlineAfter.applyAsLong(2 * retention + GARBAGE_MARGIN_MILLIS));
    if (window.reclaimableAt() < window.mark().deadline) {
      reclaimable.schedule(window.mark(), window.reclaimableAt());
    }
  }

  // --- capacity

  private void requireRoom(List<UsageRule> rules, String eventId, long unixNow) {
    if (!fits(rules, eventId)) {
      reclaim(unixNow); // may take windows of this very call, which then count as new
      if (!fits(rules, eventId)) {
        throw full();
      }
    }
    windows.budget().require(newBytes(rules, eventId));
  }

  private boolean fits(List<UsageRule> rules, String eventId) {
    int newWindows = 0;
    int newEvents = 0;
    for (UsageRule rule : rules) {
      UsageWindow window = windows.find(rule.key());
      newWindows += window == null ? 1 : 0;
      newEvents += window == null || window.event(eventId) == null ? 1 : 0;
    }
    return newEvents == 0
        || newWindows <= maxWindows - windows.size() && newEvents <= maxEvents - events;
  }

  private long newBytes(List<UsageRule> rules, String eventId) {
    long bytes = 0;
    for (UsageRule rule : rules) {
      UsageWindow window = windows.find(rule.key());
      bytes += window == null ? UsageWindow.bytesOf(rule.key()) : 0;
      bytes +=
          window == null || window.event(eventId) == null ? UsageWindow.bytesOfEvent(eventId) : 0;
    }
    return bytes;
  }

  private void reclaim(long unixNow) {
    for (Entry next = reclaimable.pollExpired(unixNow);
        next != null;
        next = reclaimable.pollExpired(unixNow)) {
      UsageWindow window = ((UsageWindow.Mark) next).window();
      int over = window.reclaimable(unixNow);
      boolean stays = over < window.size();
      drop(window, over);
      if (stays) {
        reclaimable.schedule(window.mark(), window.reclaimableAt());
      }
    }
  }

  private RuntimeStateException full() {
    return new RuntimeStateException(
        FailureCode.CAPACITY_EXHAUSTED,
        "memory.maxUsageWindows is "
            + maxWindows
            + " with "
            + windows.size()
            + " in use, memory.maxUsageEvents is "
            + maxEvents
            + " with "
            + events
            + " in use; raise what is too low");
  }

  void eventsAdded(int number) {
    events += number;
  }

  void forget(UsageWindow.Mark mark) {
    reclaimable.cancel(mark);
  }
}
