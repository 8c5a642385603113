package io.runtimestate.operation;

import io.runtimestate.data.LockHolder;
import io.runtimestate.data.LockLease;
import java.time.Duration;
import java.util.Optional;

/**
 * Operations on locks: named, leased, fenced, not re-entrant. Lock names are no data keys.
 *
 * @param <R> the result
 */
public sealed interface LockOperation<R> extends Operation<R> {

  /**
   * Acquires a lock unless a live lease exists, also one of the same owner. The same record again
   * answers the same lease while it holds, and restarts its time.
   *
   * @param token of the lease: {@code <owner>:} and more; made here if absent
   */
  record TryAcquire(String key, String owner, Duration ttl, Optional<String> token)
      implements LockOperation<Optional<LockLease>> {
    /** Checks the arguments and makes the token. */
    public TryAcquire {
      Checks.name(this, "key", key);
      Checks.name(this, "owner", owner);
      ttl = Checks.positive(this, "ttl", ttl);
      token = Checks.tokenOf(this, owner, token);
    }

    /** An acquisition with a token of its own. */
    public TryAcquire(String key, String owner, Duration ttl) {
      this(key, owner, ttl, Optional.empty());
    }

    /** The lease that this acquisition leads to, with its fencing token. */
    public LockLease lease(long fencingToken) {
      return new LockLease(key, owner, leaseToken(), fencingToken, ttl);
    }

    /** The token, which is never absent here. */
    public String leaseToken() {
      return token.orElseThrow();
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Lets a live lease last for {@code ttl} from now; false if this token holds no live lease. */
  record Renew(LockLease lease, Duration ttl) implements LockOperation<Boolean> {
    /** Checks the arguments. */
    public Renew {
      Checks.lease(this, "lease", lease);
      ttl = Checks.positive(this, "ttl", ttl);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Ends a lease; answers whether this token held the lock. */
  record Release(LockLease lease) implements LockOperation<Boolean> {
    /** Checks the argument. */
    public Release {
      Checks.lease(this, "lease", lease);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Who holds a lock now; absent if nobody does. */
  record Holder(String key) implements LockOperation<Optional<LockHolder>> {
    /** Checks the argument. */
    public Holder {
      Checks.name(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
