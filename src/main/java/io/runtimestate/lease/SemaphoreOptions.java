package io.runtimestate.lease;

import io.runtimestate.data.Durations;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.SemaphoreOperation;
import java.time.Duration;
import java.util.Optional;

/**
 * What a semaphore handle works with. A handle takes a copy, so later changes have no effect on it.
 * Values are checked when the handle is made.
 */
public final class SemaphoreOptions {
  /** The default of {@link #getLeaseTtl()}. */
  public static final Duration DEFAULT_LEASE_TTL = Duration.ofSeconds(30);

  /** The default of {@link #getRenewInterval()}. */
  public static final Duration DEFAULT_RENEW_INTERVAL = Duration.ofSeconds(10);

  private String gate;
  private String resource;
  private int limit;
  private Duration leaseTtl = DEFAULT_LEASE_TTL;
  private Duration renewInterval = DEFAULT_RENEW_INTERVAL;
  private Duration commandTimeout;

  /** A semaphore that is one gate. */
  public SemaphoreOptions(String gate, int limit) {
    this.gate = gate;
    this.limit = limit;
  }

  /** A copy. */
  public SemaphoreOptions(SemaphoreOptions other) {
    this.gate = other.gate;
    this.resource = other.resource;
    this.limit = other.limit;
    this.leaseTtl = other.leaseTtl;
    this.renewInterval = other.renewInterval;
    this.commandTimeout = other.commandTimeout;
  }

  /** The gate; not blank. */
  public String getGate() {
    return gate;
  }

  /** Sets the gate. */
  public SemaphoreOptions setGate(String gate) {
    this.gate = gate;
    return this;
  }

  /** What is behind the gate; null for the gate itself. */
  public String getResource() {
    return resource;
  }

  /**
   * Sets what is behind the gate. Surrounding white space and a leading {@code admission:<gate>:}
   * do not count; what is left must not be blank.
   */
  public SemaphoreOptions setResource(String resource) {
    this.resource = resource;
    return this;
  }

  /** How many permits this handle lets be held; at least 1. */
  public int getLimit() {
    return limit;
  }

  /** Sets the limit; handles with other limits share the holders. */
  public SemaphoreOptions setLimit(int limit) {
    this.limit = limit;
    return this;
  }

  /** How long a permit outlives its holder; above zero. */
  public Duration getLeaseTtl() {
    return leaseTtl;
  }

  /** Sets how long a permit lasts without renewal. */
  public SemaphoreOptions setLeaseTtl(Duration leaseTtl) {
    this.leaseTtl = leaseTtl;
    return this;
  }

  /** From one renewal to the next; above zero and shorter than the lease. */
  public Duration getRenewInterval() {
    return renewInterval;
  }

  /** Sets the time from one renewal to the next. */
  public SemaphoreOptions setRenewInterval(Duration renewInterval) {
    this.renewInterval = renewInterval;
    return this;
  }

  /** The timeout of each operation; null: that of the runtime. */
  public Duration getCommandTimeout() {
    return commandTimeout;
  }

  /** Sets the timeout of each operation. */
  public SemaphoreOptions setCommandTimeout(Duration commandTimeout) {
    this.commandTimeout = commandTimeout;
    return this;
  }

  /** Checks everything and brings it into its normal form. */
  SemaphoreOptions validate() {
    leaseTtl = positive("leaseTtl", leaseTtl);
    renewInterval = positive("renewInterval", renewInterval);
    commandTimeout = commandTimeout == null ? null : positive("commandTimeout", commandTimeout);
    if (renewInterval.compareTo(leaseTtl) >= 0) {
      throw invalid("renewInterval must be shorter than leaseTtl");
    }
    resource = snapshot().resource().orElse(null);
    return this;
  }

  /** Gate, resource and limit have the rules of the operations. */
  private SemaphoreOperation.Snapshot snapshot() {
    try {
      return new SemaphoreOperation.Snapshot(gate, Optional.ofNullable(resource), limit);
    } catch (RuntimeStateException broken) {
      throw invalid(broken.getMessage());
    }
  }

  private static Duration positive(String what, Duration value) {
    if (value == null || value.isZero()) {
      throw invalid(what + " must be above zero");
    }
    try {
      return Durations.roundUp(value);
    } catch (IllegalArgumentException broken) {
      throw invalid(what + " " + broken.getMessage());
    }
  }

  private static RuntimeStateException invalid(String rule) {
    return new RuntimeStateException(FailureCode.INVALID_CONFIGURATION, "semaphore: " + rule);
  }

  @Override
  public String toString() {
    return "SemaphoreOptions";
  }
}
