package io.runtimestate.data;

import java.time.Duration;
import java.util.Optional;

/**
 * One snapshot of a stream and, if it was asked for and exists, of one group.
 *
 * @param length how many entries exist
 * @param pending how many were delivered to the group and not acknowledged
 * @param lag how many entries exist after the position of the group. Exact in memory, and on Redis
 *     when at most 1 000 lie after the position or at most 1 000 up to it; otherwise a number
 *     between 1 001 and the length. Absent without a group
 * @param oldestPendingIdle the largest idle time among the 1 000 lowest pending ids; absent if
 *     nothing is pending
 */
public record StreamStats(
    long length, long pending, Optional<Long> lag, Optional<Duration> oldestPendingIdle) {}
