package io.runtimestate.soak;

import io.runtimestate.support.Await;
import java.util.ArrayDeque;
import java.util.Queue;

/** Holds all calls of a soak back while a sample is taken, so that figures can be compared. */
final class CallGate {
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean held;
  private int inFlight;

  /** Makes the call now or when the gate opens; {@link #ended} has to follow. */
  void enter(Runnable call) {
    if (mayRun(call)) {
      call.run();
    }
  }

  private synchronized boolean mayRun(Runnable call) {
    if (held) {
      waiting.add(call);
    } else {
      inFlight++;
    }
    return !held;
  }

  synchronized void ended() {
    inFlight--;
  }

  /** Lets no call begin and waits until none is under way. */
  void hold() {
    synchronized (this) {
      held = true;
    }
    Await.until(() -> inFlight() == 0, "calls that began before the sample end");
  }

  private synchronized int inFlight() {
    return inFlight;
  }

  /** Makes the calls that waited, in their order. */
  void open() {
    Queue<Runnable> calls;
    synchronized (this) {
      held = false;
      calls = new ArrayDeque<>(waiting);
      waiting.clear();
      inFlight += calls.size();
    }
    calls.forEach(Runnable::run);
  }
}
