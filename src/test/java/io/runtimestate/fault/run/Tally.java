package io.runtimestate.fault.run;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** What became of all calls, by family, and what must not have happened. Any thread. */
final class Tally {
  /** What faults may do to a call; everything else is a violation. */
  private static final Set<FailureCode> EXPECTED =
      Set.of(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT, FailureCode.OVERLOADED);

  private static final String OK = "ok";
  private static final String UNKNOWN = "outcome unknown";

  /** How long a call took beyond its time, or less than it. */
  private record Settled(String call, long tookMillis, long limitMillis) {
    long overrun() {
      return tookMillis - limitMillis;
    }
  }

  private final long startedAt = System.nanoTime();
  private final Map<String, Map<String, LongAdder>> families = new ConcurrentHashMap<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final AtomicLong open = new AtomicLong();
  private final AtomicReference<Settled> latest =
      new AtomicReference<>(new Settled("none", 0, Long.MAX_VALUE / 2));

  void started() {
    open.incrementAndGet();
  }

  /**
   * A call has ended.
   *
   * @param limitMillis when it had to end, after its start
   * @param failure null if it succeeded
   */
  void ended(String call, long callStartedAt, long limitMillis, Throwable failure) {
    open.decrementAndGet();
    long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - callStartedAt);
    Settled settled = new Settled(call, took, limitMillis);
    latest.accumulateAndGet(settled, (a, b) -> a.overrun() >= b.overrun() ? a : b);
    if (failure == null) {
      count(call, OK);
    } else {
      failed(call, (RuntimeStateException) failure);
    }
  }

  private void failed(String call, RuntimeStateException failure) {
    count(call, failure.code().name());
    if (failure.mayHaveBeenApplied()) {
      count(call, UNKNOWN);
    }
    if (!EXPECTED.contains(failure.code())) {
      violation(call + " failed: " + failure);
    }
  }

  private void count(String call, String outcome) {
    families
        .computeIfAbsent(call.substring(0, call.indexOf('.')), name -> new ConcurrentHashMap<>())
        .computeIfAbsent(outcome, name -> new LongAdder())
        .increment();
  }

  void violation(String text) {
    violations.add(text);
  }

  Queue<String> violations() {
    return violations;
  }

  /** How many calls have not ended. */
  long open() {
    return open.get();
  }

  long successes(String family) {
    return families.getOrDefault(family, Map.of()).getOrDefault(OK, new LongAdder()).sum();
  }

  /** How much later than it had to the latest call ended; negative if all were early. */
  long worstOverrunMillis() {
    return latest.get().overrun();
  }

  String report() {
    double seconds = (System.nanoTime() - startedAt) / 1e9;
    Settled last = latest.get();
    return new TreeMap<>(families)
            .entrySet().stream()
                .map(family -> line(family.getKey(), family.getValue(), seconds))
                .collect(Collectors.joining("\n"))
        + String.format(
            Locale.ROOT,
            "%nlatest settle: %s after %d ms of %d ms",
            last.call,
            last.tookMillis,
            last.limitMillis);
  }

  private static String line(String family, Map<String, LongAdder> outcomes, double seconds) {
    return String.format(Locale.ROOT, "%-10s per second: ", family)
        + new TreeMap<>(outcomes)
            .entrySet().stream()
                .map(one -> one.getKey() + rate(one.getValue().sum() / seconds))
                .collect(Collectors.joining(", "));
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, " %.1f", perSecond);
  }
}
