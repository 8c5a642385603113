package io.runtimestate.operation;

import io.runtimestate.data.PermitDecision;
import io.runtimestate.data.PermitHolder;
import io.runtimestate.data.PermitUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Operations on semaphores of leased permits. A semaphore is a gate or one resource behind a gate:
 * gate {@code a} with resource {@code b} and gate {@code a:b} are two. The limit travels with each
 * call. Surrounding white space of a resource and a leading {@code admission:<gate>:} are removed.
 *
 * @param <R> the result
 */
public sealed interface SemaphoreOperation<R> extends Operation<R> {

  /** The gate. */
  String gate();

  /** What is behind the gate, in its normal form; absent for the gate itself. */
  Optional<String> resource();

  /**
   * Takes a permit if fewer than {@code limit} are held. The same record again answers the same
   * permit while it is live, and restarts its time.
   *
   * @param token of the permit: {@code <gate>:} and more; made here if absent
   */
  record TryAcquire(
      String gate, Optional<String> resource, int limit, Duration ttl, Optional<String> token)
      implements SemaphoreOperation<PermitDecision> {
    /** Checks the arguments and makes the token. */
    public TryAcquire {
      Checks.name(this, "gate", gate);
      resource = Checks.resource(this, gate, resource);
      Checks.require(limit >= 1, this, "limit", "must be at least 1");
      ttl = Checks.positive(this, "ttl", ttl);
      token = Checks.tokenOf(this, gate, token);
    }

    /** A request with a token of its own. */
    public TryAcquire(String gate, Optional<String> resource, int limit, Duration ttl) {
      this(gate, resource, limit, ttl, Optional.empty());
    }

    /** The token, which is never absent here. */
    public String permitToken() {
      return token.orElseThrow();
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Lets a live permit last for {@code ttl} from now; false if it is not live. */
  record Renew(String gate, Optional<String> resource, String token, Duration ttl)
      implements SemaphoreOperation<Boolean> {
    /** Checks the arguments. */
    public Renew {
      Checks.name(this, "gate", gate);
      resource = Checks.resource(this, gate, resource);
      Checks.token(this, "token", token);
      ttl = Checks.positive(this, "ttl", ttl);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Gives a permit back; answers whether it was live. */
  record Release(String gate, Optional<String> resource, String token)
      implements SemaphoreOperation<Boolean> {
    /** Checks the arguments. */
    public Release {
      Checks.name(this, "gate", gate);
      resource = Checks.resource(this, gate, resource);
      Checks.token(this, "token", token);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** How many permits are held, seen against a limit. */
  record Snapshot(String gate, Optional<String> resource, int limit)
      implements SemaphoreOperation<PermitUsage> {
    /** Checks the arguments. */
    public Snapshot {
      Checks.name(this, "gate", gate);
      resource = Checks.resource(this, gate, resource);
      Checks.require(limit >= 1, this, "limit", "must be at least 1");
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** The live permits, by the end of their lease, then by the byte order of their tokens. */
  record Holders(String gate, Optional<String> resource)
      implements SemaphoreOperation<List<PermitHolder>> {
    /** Checks the arguments. */
    public Holders {
      Checks.name(this, "gate", gate);
      resource = Checks.resource(this, gate, resource);
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
