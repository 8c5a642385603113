package io.runtimestate.data;

/**
 * What became of a consumer that was to be removed.
 *
 * @param removed whether it is gone; false if it was not known, or had pending entries that were
 *     not to be discarded
 * @param pending how many entries were pending for it
 */
public record RemoveConsumer(boolean removed, long pending) {}
