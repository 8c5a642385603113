package io.runtimestate.lease;

import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.operation.LockOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.operation.SemaphoreOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.OperationTable;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The door with waiting lines in front of locks and semaphores. It sees all acquisitions and
 * releases of its runtime, those of its event-bus clients included:
 *
 * <ul>
 *   <li>While somebody waits, an acquisition that would overtake is answered busy. One that repeats
 *       the holder's own record does not overtake; it is carried out as the renewal it amounts to,
 *       which can never acquire what has just become free.
 *   <li>A release wakes the front of the line.
 *   <li>An acquisition that fails but may have been applied, or that is answered when its time is
 *       over, is released in the background.
 * </ul>
 */
final class WaitingLine implements StateBackend {
  private final StateBackend inner;
  private final Holdings holdings;
  private final OperationTable<Way<Operation<?>, ?>> ways = new OperationTable<>();

  /** How operations of one class are executed here. */
  private interface Way<O, R> {
    Future<R> execute(O operation, long timeoutMillis);
  }

  WaitingLine(StateBackend inner, Holdings holdings, LockPassage locks, PermitPassage permits) {
    this.inner = inner;
    this.holdings = holdings;
    on(LockOperation.TryAcquire.class, locks::acquire);
    on(LockOperation.Release.class, locks::release);
    on(SemaphoreOperation.TryAcquire.class, permits::acquire);
    on(SemaphoreOperation.Release.class, permits::release);
  }

  @SuppressWarnings("unchecked") // the table holds O -> R under the class of O
  private <R, O extends Operation<R>> void on(Class<O> type, Way<? super O, R> way) {
    Way<Operation<?>, R> untyped = (operation, timeout) -> way.execute((O) operation, timeout);
    ways.put(type, untyped);
  }

  @Override
  @SuppressWarnings("unchecked") // the way of an operation answers with its result type
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    Way<Operation<?>, ?> way = ways.of(operation);
    return way == null
        ? inner.execute(operation, timeoutMillis)
        : (Future<R>) way.execute(operation, timeoutMillis);
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
    Map<String, Long> figures = new LinkedHashMap<>(inner.figures());
    holdings.addTo(figures);
    return figures;
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
