package io.runtimestate.spi;

import io.runtimestate.data.ConnectionEvent;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.QueueOperation;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;
import java.util.Map;

/**
 * The one door: executes operations. Everything that wraps a backend (statistics, waiting lines,
 * the event bus) is itself a backend around another. Duties:
 *
 * <ol>
 *   <li><b>Threads.</b> {@code execute} may be called from any thread and never blocks it.
 *   <li><b>Context.</b> The future completes on the caller's context, whoever did the work; a
 *       caller without one is given an event-loop context. Failed futures too: never one without a
 *       context.
 *   <li><b>Once.</b> Every future completes exactly once, and within its timeout where the backend
 *       does I/O.
 *   <li><b>No throw.</b> Failures are {@link io.runtimestate.data.RuntimeStateException}s inside
 *       the future; {@code execute} itself throws nothing.
 *   <li><b>No checks.</b> An operation that exists is valid; backends check no argument again.
 *   <li><b>Change first, tell later.</b> State is changed before any future completes; nobody is
 *       called back from inside an operation.
 *   <li><b>Order.</b> Calls on one key of one family of {@code kv}, {@code key}, {@code set} and
 *       {@code score}, issued from one context, take effect in that order.
 *   <li><b>Close.</b> {@code close} is idempotent, never fails, fails what is pending with {@code
 *       CLOSED} and leaves no timer, connection or consumer behind. Calls after it fail {@code
 *       CLOSED}.
 * </ol>
 */
public interface StateBackend {
  /** No timeout at all. */
  long NO_TIMEOUT = 0;

  /** The millisecond form of an optional timeout: null is {@link #NO_TIMEOUT}. */
  static long timeoutMillis(Duration timeout) {
    return timeout == null ? NO_TIMEOUT : timeout.toMillis();
  }

  /** What does not change while the backend is open. */
  BackendDescription description();

  /** Executes an operation within the timeout of {@link #description()}. */
  default <R> Future<R> execute(Operation<R> operation) {
    return execute(operation, description().commandTimeoutMillis());
  }

  /**
   * Executes an operation.
   *
   * @param timeoutMillis how long the whole call may take, in milliseconds; {@link #NO_TIMEOUT} for
   *     ever. Backends that do no I/O ignore it.
   */
  <R> Future<R> execute(Operation<R> operation, long timeoutMillis);

  /**
   * Ends a read that waits for an entry, known by its record: it answers nothing, and later entries
   * go to others. Does nothing if it does not wait any more, or waits where it cannot be reached.
   * Whoever wraps a backend passes this on.
   */
  default void endRead(QueueOperation.Read read) {}

  /** A local estimate of backend unix time in milliseconds; no I/O, from any thread. */
  long unixMillis();

  /**
   * Named numbers for statistics and gauges ({@link Figures}); from any thread. They may be a
   * moment old, are complete for the calls whose future the caller has seen complete, and need not
   * be consistent with each other.
   */
  Map<String, Long> figures();

  /** Tells of releases of locks and permits by others, where the backend can hear of them. */
  default ReleaseNotices releaseNotices() {
    return ReleaseNotices.NONE;
  }

  /** Hears connections going down and up; a backend without connections never calls it. */
  default void connectionHandler(Handler<ConnectionEvent> handler) {}

  /** Fails what is pending, releases everything; idempotent, never fails. */
  Future<Void> close();
}
