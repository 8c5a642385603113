package io.runtimestate.bench;

import io.vertx.core.Context;
import java.util.List;

/**
 * How operations are started.
 *
 * @param inFlight how many each caller keeps in flight
 * @param callers a context on each calling event loop
 * @param timed whether the latency of every operation is recorded; costs two looks at the clock
 */
record Load(int inFlight, Starts starts, List<Context> callers, boolean timed) {
  Load(int inFlight, Starts starts, Context caller) {
    this(inFlight, starts, List.of(caller), false);
  }

  int slots() {
    return inFlight * callers.size();
  }
}
