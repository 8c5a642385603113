package io.runtimestate.memory.table;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.util.function.BooleanSupplier;

/**
 * The estimate of all bytes in use and its bound. The estimate is UTF-8 lengths plus a fixed
 * overhead per object; it never evicts, it refuses.
 */
public final class MemoryBudget {
  private final long max;
  private final BooleanSupplier reclaimOne;
  private long used;

  /**
   * @param max the bound in bytes; {@link Long#MAX_VALUE} for none
   * @param reclaimOne drops one expired object, false if there is none
   */
  public MemoryBudget(long max, BooleanSupplier reclaimOne) {
    this.max = max;
    this.reclaimOne = reclaimOne;
  }

  /** Bytes in use. */
  public long used() {
    return used;
  }

  /** Counts growth or, negative, shrinking. */
  public void add(long bytes) {
    used += bytes;
  }

  /**
   * Makes sure that a write may grow the store, dropping expired objects if needed. Writes that
   * shrink or keep the size always may.
   *
   * @throws RuntimeStateException CAPACITY_EXHAUSTED if it may not; nothing has changed but that
   *     expired objects are gone
   */
  public void require(long growth) {
    while (!fits(growth)) {
      if (!reclaimOne.getAsBoolean()) {
        throw new RuntimeStateException(
            FailureCode.CAPACITY_EXHAUSTED,
            "memory.maxBytes is " + max + " and " + used + " are in use; raise it");
      }
    }
  }

  /** Whether a write may grow the store by so much now. */
  public boolean fits(long growth) {
    return growth <= 0 || used + growth <= max;
  }
}
