package io.runtimestate.data;

/**
 * What became of entries that were to be acknowledged and deleted.
 *
 * @param acked how many were pending and are not any more
 * @param deleted how many of them still had a body; fewer only after interference from outside
 */
public record AckDelete(long acked, long deleted) {}
