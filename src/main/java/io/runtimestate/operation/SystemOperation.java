package io.runtimestate.operation;

import io.runtimestate.data.RedisDiagnostics;
import io.runtimestate.data.SystemInfo;
import java.util.Optional;

/**
 * Operations on the runtime itself.
 *
 * @param <R> the result
 */
public sealed interface SystemOperation<R> extends Operation<R> {

  /** What a remote client needs to know at connect. */
  record Info() implements SystemOperation<SystemInfo> {
    @Override
    public String toString() {
      return name();
    }
  }

  /** Backend unix time in milliseconds. */
  record Time() implements SystemOperation<Long> {
    @Override
    public String toString() {
      return name();
    }
  }

  /** Whether the backend answers; a backend that does not is a result, not a failure. */
  record Health() implements SystemOperation<io.runtimestate.data.Health> {
    @Override
    public String toString() {
      return name();
    }
  }

  /** What the runtime did since it was opened. */
  record Statistics() implements SystemOperation<io.runtimestate.data.Statistics> {
    @Override
    public String toString() {
      return name();
    }
  }

  /** Figures of the Redis server and of the lanes to it; absent for memory. */
  record Diagnostics() implements SystemOperation<Optional<RedisDiagnostics>> {
    @Override
    public String toString() {
      return name();
    }
  }
}
