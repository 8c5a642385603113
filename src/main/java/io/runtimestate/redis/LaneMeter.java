package io.runtimestate.redis;

import io.runtimestate.data.LaneDiagnostics;
import io.runtimestate.spi.EventCount;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.LatencyHistogram;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the lanes of one kind did; any thread may count and read. */
final class LaneMeter {
  private final LaneKind kind;
  private final AtomicLong connections = new AtomicLong();
  private final EventCount commands = new EventCount();
  private final LongAdder errors = new LongAdder();
  private final LongAdder timeouts = new LongAdder();
  private final EventCount pending = new EventCount();
  private final LongAdder reconnects = new LongAdder();
  private final LatencyHistogram latency = new LatencyHistogram();

  LaneMeter(LaneKind kind) {
    this.kind = kind;
  }

  /** Whether this is now the only connection. */
  boolean connected() {
    return connections.incrementAndGet() == 1;
  }

  /** Whether there is now no connection. */
  boolean disconnected() {
    return connections.decrementAndGet() == 0;
  }

  void reconnected() {
    reconnects.increment();
  }

  void sent() {
    commands.increment();
  }

  void pending(int change) {
    pending.add(change);
  }

  void succeeded(long nanos) {
    latency.record(nanos);
  }

  void failed(long nanos) {
    errors.increment();
    latency.record(nanos);
  }

  void timedOut(long nanos) {
    timeouts.increment();
    latency.record(nanos);
  }

  LaneDiagnostics diagnostics() {
    long open = connections.get();
    return new LaneDiagnostics(
        kind.word(),
        open,
        commands.sum(),
        errors.sum(),
        timeouts.sum(),
        pending.sum(),
        reconnects.sum(),
        open > 0,
        latency.snapshot());
  }

  void addTo(Map<String, Long> figures) {
    figures.put(Figures.lane(kind.word(), "connections"), connections.get());
    figures.put(Figures.lane(kind.word(), "pending"), pending.sum());
    figures.put(Figures.lane(kind.word(), "reconnects"), reconnects.sum());
  }
}
