package io.runtimestate.data;

/** Why a held lock or permit is held no more, although its holder did not release it. */
public enum LossReason {
  /** The store said that it belongs to nobody or to another holder. */
  OWNERSHIP_LOST,
  /** Its time ran out before a renewal was confirmed. */
  EXPIRED,
  /** The runtime that kept it was closed. */
  RUNTIME_CLOSED
}
