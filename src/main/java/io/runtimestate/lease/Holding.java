package io.runtimestate.lease;

import io.vertx.core.Future;
import java.util.function.LongFunction;

/**
 * A lease to be kept alive.
 *
 * @param kind one of the kinds of {@link Holdings}
 * @param ttlMillis how long it lasts after it was acquired or renewed
 * @param intervalMillis from the sending of one renewal to the next
 * @param timeoutMillis of each operation; 0 for none
 * @param releaseAgain whether a failed release can be tried again
 * @param renew one renewal, with a timeout in milliseconds; false: lost
 * @param release one release, with a timeout in milliseconds; false: it was gone
 * @param recall releases in the background
 */
record Holding(
    String kind,
    String token,
    long ttlMillis,
    long intervalMillis,
    long timeoutMillis,
    boolean releaseAgain,
    LongFunction<Future<Boolean>> renew,
    LongFunction<Future<Boolean>> release,
    Runnable recall) {
  @Override
  public String toString() {
    return "Holding[" + kind + "]";
  }
}
