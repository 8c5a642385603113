package io.runtimestate.soak;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.QueueOperation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.Callers;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The door of one process of a soak. The process can die: from then on nothing it says is heard and
 * nothing is answered. Answers can get lost, as on a connection that breaks.
 */
final class SoakDoor implements StateBackend {
  private final Vertx vertx;
  private final StateBackend inner;
  private final CallGate gate;
  private final Supplier<Future<Void>> closing;
  private final AtomicInteger answersToLose = new AtomicInteger();
  private volatile boolean dead;

  /**
   * @param closing what closing this door does; the store behind it may be others' as well
   */
  SoakDoor(Vertx vertx, StateBackend inner, CallGate gate, Supplier<Future<Void>> closing) {
    this.vertx = vertx;
    this.inner = inner;
    this.gate = gate;
    this.closing = closing;
  }

  void die() {
    dead = true;
  }

  /** Of so many next calls every other one is carried out without an answer, the rest refused. */
  void loseAnswers(int calls) {
    answersToLose.set(calls);
  }

  @Override
  public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
    Promise<R> answer = Callers.promise(vertx);
    if (!dead) {
      int toLose = answersToLose.getAndUpdate(left -> Math.max(0, left - 1));
      if (toLose % 2 == 1) {
        answer.fail(broken(false));
      } else {
        gate.enter(() -> send(operation, timeoutMillis, toLose > 0, answer));
      }
    }
    return answer.future();
  }

  private <R> void send(
      Operation<R> operation, long timeoutMillis, boolean loseAnswer, Promise<R> answer) {
    inner
        .execute(operation, timeoutMillis)
        .onComplete(
            result -> {
              gate.ended();
              if (dead) {
                return;
              }
              if (loseAnswer) {
                answer.fail(broken(true));
              } else {
                answer.handle(result);
              }
            });
  }

  private static RuntimeStateException broken(boolean mayHaveBeenApplied) {
    return new RuntimeStateException(
        FailureCode.UNAVAILABLE, "soak: the connection broke", mayHaveBeenApplied, null);
  }

  @Override
  public void endRead(QueueOperation.Read read) {
    if (!dead) {
      inner.endRead(read);
    }
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
  public Future<Void> close() {
    return closing.get();
  }
}
