package io.runtimestate.lease;

/**
 * A permit as it was granted.
 *
 * @param inFlight permits held then, this one included
 * @param sentNanos when it was asked for, by {@link System#nanoTime}
 */
record PermitGrant(int inFlight, long sentNanos) {}
