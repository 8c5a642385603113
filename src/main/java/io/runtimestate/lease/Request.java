package io.runtimestate.lease;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A wish for a value that may have to be computed.
 *
 * @param context of the caller, where its loader runs
 */
record Request(
    String key,
    Duration ttl,
    Supplier<Future<String>> loader,
    Duration flightTtl,
    Duration waitUpTo,
    Context context) {
  static final String OWNER = "getOrCompute";

  String lockName() {
    return OWNER + ":" + key;
  }

  @Override
  public String toString() {
    return "Request";
  }
}
