package io.runtimestate.data;

/**
 * The state of all lanes of one kind.
 *
 * @param lane {@code fast}, {@code control}, {@code blocking} or {@code admin}
 * @param connections open now
 * @param commands sent since open
 * @param errors calls that failed otherwise than by their deadline
 * @param timeouts calls that ended by their deadline
 * @param pending commands whose reply is still due, timed-out ones included
 * @param reconnects connections made again after a loss
 * @param connected whether at least one connection is usable
 */
public record LaneDiagnostics(
    String lane,
    long connections,
    long commands,
    long errors,
    long timeouts,
    long pending,
    long reconnects,
    boolean connected,
    Latency latency) {}
