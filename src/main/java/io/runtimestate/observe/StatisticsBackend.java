package io.runtimestate.observe;

import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.data.OperationStatistics;
import io.runtimestate.data.Statistics;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts every call of the door it wraps, once, when it has finished.
 *
 * <p>Counting is always on, so it has to be cheap: outcomes are exact, latency is measured for
 * every call that waited and for one in sixteen of those answered at once, since reading the clock
 * twice would cost more than the call.
 */
public final class StatisticsBackend implements StateBackend {
  private final StateBackend inner;
  private final long openedAt = System.nanoTime();
  private final OperationCounters[] counters =
      OperationCatalog.all().stream().map(OperationCounters::new).toArray(OperationCounters[]::new);

  /** Wraps a door. */
  public StatisticsBackend(StateBackend inner) {
    this.inner = inner;
  }

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    OperationCounters counter = counters(OperationCatalog.typeOf(operation));
    boolean sampled = counter.sample();
    long before = sampled ? System.nanoTime() : 0;
    Future<R> answer = door(operation, timeoutMillis);
    if (answer.isComplete()) {
      long nanos = sampled ? System.nanoTime() - before : OperationCounters.NOT_MEASURED;
      counter.finished(answer.result(), answer.cause(), nanos);
    } else {
      long sent = sampled ? before : System.nanoTime();
      answer.onComplete(new Waiting(counter, operation, sent));
    }
    return answer;
  }

  /** How long a read waits for an entry says nothing about the store: it counts as 0. */
  private static long latency(Operation<?> operation, long sent) {
    boolean waits = operation instanceof QueueOperation.Read read && read.block().isPresent();
    return waits ? 0 : System.nanoTime() - sent;
  }

  /** A call that was not answered at once: the one listener it needs, and its only object. */
  private record Waiting(OperationCounters counter, Operation<?> operation, long sent)
      implements Completable<Object> {
    @Override
    public void complete(Object result, Throwable failure) {
      counter.finished(result, failure, latency(operation, sent));
    }
  }

  @SuppressWarnings("unchecked") // the result of system.statistics is Statistics
  private <R> Future<R> door(Operation<R> operation, long timeoutMillis) {
    Future<R> answer = inner.execute(operation, timeoutMillis);
    return operation instanceof SystemOperation.Statistics
        ? (Future<R>) answer.map(store -> completed((Statistics) store))
        : answer;
  }

  /** Adds the calls counted here to what the backend knows about itself. */
  private Statistics completed(Statistics store) {
    Map<String, OperationStatistics> operations = new HashMap<>();
    Arrays.stream(counters)
        .filter(counter -> counter.count() > 0)
        .forEach(counter -> operations.put(counter.name(), counter.snapshot()));
    Map<String, Long> figures = figures();
    return new Statistics(
        Duration.ofNanos(System.nanoTime() - openedAt),
        operations,
        figures.getOrDefault(Figures.BLOCKED_READS, 0L),
        figures.getOrDefault(Figures.HELD_LEASES, 0L),
        figures.getOrDefault(Figures.HELD_PERMITS, 0L),
        store.store());
  }

  OperationCounters counters(OperationType type) {
    return counters[type.ordinal()];
  }

  @Override
  public void endRead(QueueOperation.Read read) {
    inner.endRead(read);
  }

  @Override
  public BackendDescription description() {
    return inner.description();
  }

  @Override
  public long unixMillis() {
    return inner.unixMillis();
  }

  @Override
  public Map<String, Long> figures() {
    return inner.figures();
  }

  @Override
  public void connectionHandler(Handler<ConnectionEvent> handler) {
    inner.connectionHandler(handler);
  }

  @Override
  public Future<Void> close() {
    return inner.close();
  }
}
