package io.runtimestate.eventbus;

import io.runtimestate.operation.Operation;
import io.vertx.core.Completable;
import io.vertx.core.Promise;
import java.util.Set;

/**
 * A call inside one Vert.x instance: it is itself the body of its message, and takes its answer
 * from whoever serves it, on that thread. The caller's promise brings it to the caller's context; a
 * reply of the bus would be one more message, with an address and a timer to wait for it.
 */
final class PassedCall<R> extends RemoteCall<R> implements Completable<R> {
  private final long timeoutMillis;
  private final Exposure exposure;
  private final long lastTick;
  private volatile boolean received;

  /**
   * @param timeoutMillis as in {@link io.runtimestate.spi.StateBackend#execute(Operation, long)}
   * @param exposure where it is sent
   * @param lastTick when its client gives up, by its {@link CallWatch}
   */
  PassedCall(
      Operation<R> operation,
      long timeoutMillis,
      Promise<R> promise,
      Set<RemoteCall<?>> pending,
      Exposure exposure,
      long lastTick) {
    super(operation, promise, pending);
    this.timeoutMillis = timeoutMillis;
    this.exposure = exposure;
    this.lastTick = lastTick;
  }

  long timeoutMillis() {
    return timeoutMillis;
  }

  /** Says that the message has arrived and will be answered. */
  void received() {
    received = true;
  }

  /** Its time is over, or its message was dropped since the service had gone when it arrived. */
  @Override
  boolean isLost(long tick) {
    return tick >= lastTick || exposure.isGone() && !received;
  }

  @Override
  public void complete(R result, Throwable failure) {
    if (failure == null) {
      end(result);
    } else {
      abort(BusFailures.passed(type(), failure));
    }
  }
}
