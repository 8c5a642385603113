package io.runtimestate.data;

/**
 * What the memory backend holds, and what it has dropped so far.
 *
 * @param bytes estimated: UTF-8 lengths plus a fixed overhead per object
 * @param evictions values dropped because {@code memory.maxValues} was reached
 * @param expirations objects reclaimed after their deadline
 */
public record StoreFigures(
    long values,
    long sets,
    long scores,
    long streams,
    long counters,
    long buckets,
    long windows,
    long events,
    long locks,
    long permits,
    long bytes,
    long evictions,
    long expirations) {}
