package io.runtimestate.data;

import java.time.Duration;
import java.util.Objects;

/**
 * The right to a lock until its time runs out.
 *
 * <p>It does not change: a renewal leaves the object as it is. Two leases are equal if their five
 * properties are. When the handle that acquired it sent the request is known only to that handle;
 * it is no property, takes no part in equality and does not travel.
 */
public final class LockLease {
  private final String key;
  private final String owner;
  private final String token;
  private final long fencingToken;
  private final Duration ttl;
  private final boolean sent;
  private final long sentNanos;

  /**
   * A lease put together from what was written down elsewhere; nothing is checked here.
   *
   * @param token proves the right to renew and release; keep it secret
   * @param fencingToken greater than that of every earlier lease of the same key
   * @param ttl how long it was asked for
   */
  public LockLease(String key, String owner, String token, long fencingToken, Duration ttl) {
    this(key, owner, token, fencingToken, ttl, false, 0);
  }

  private LockLease(
      String key,
      String owner,
      String token,
      long fencingToken,
      Duration ttl,
      boolean sent,
      long sentNanos) {
    this.key = key;
    this.owner = owner;
    this.token = token;
    this.fencingToken = fencingToken;
    this.ttl = ttl;
    this.sent = sent;
    this.sentNanos = sentNanos;
  }

  /**
   * The same lease, knowing when its request was sent; for whoever hands it to its holder.
   *
   * @param nanoTime {@link System#nanoTime()} from before the request was sent
   */
  public LockLease sentAt(long nanoTime) {
    return new LockLease(key, owner, token, fencingToken, ttl, true, nanoTime);
  }

  /** The name of the lock. */
  public String key() {
    return key;
  }

  /** Who acquired it, in the words of the caller. */
  public String owner() {
    return owner;
  }

  /** {@code <owner>:<uuid>}, different for each acquisition. */
  public String token() {
    return token;
  }

  /** Above zero and below 2^53; compare it only with leases of the same key. */
  public long fencingToken() {
    return fencingToken;
  }

  /** How long it was asked for. */
  public Duration ttl() {
    return ttl;
  }

  /**
   * How much of the time it was acquired for is certainly left, counted on this machine's monotonic
   * clock from before the request was sent. Renewals are not counted. Zero if this object was not
   * handed out by an acquisition of this process.
   */
  public Duration remaining() {
    if (!sent) {
      return Duration.ZERO;
    }
    Duration left = ttl.minusNanos(System.nanoTime() - sentNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LockLease lease
        && fencingToken == lease.fencingToken
        && Objects.equals(key, lease.key)
        && Objects.equals(owner, lease.owner)
        && Objects.equals(token, lease.token)
        && Objects.equals(ttl, lease.ttl);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, owner, token, fencingToken, ttl);
  }

  @Override
  public String toString() {
    return "LockLease";
  }
}
