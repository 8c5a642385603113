package io.runtimestate.config;

import io.vertx.core.json.JsonObject;
import java.util.Objects;

/** Limits of the memory backend; unused by Redis. */
public final class MemoryOptions {
  /** 10 000 values. */
  public static final int DEFAULT_MAX_VALUES = 10_000;

  /** Evict. */
  public static final ValuePolicy DEFAULT_VALUE_POLICY = ValuePolicy.EVICT;

  /** 100 000 calls. */
  public static final int DEFAULT_MAX_PENDING_OPERATIONS = 100_000;

  /** 10 000 windows. */
  public static final int DEFAULT_MAX_USAGE_WINDOWS = 10_000;

  /** 100 000 events. */
  public static final int DEFAULT_MAX_USAGE_EVENTS = 100_000;

  static final Section<MemoryOptions> SECTION =
      new Section<>(
          "memory.",
          Option.of(
              "maxValues", Kind.INT, MemoryOptions::getMaxValues, MemoryOptions::setMaxValues),
          Option.of(
              "valuePolicy",
              Kind.words(ValuePolicy.class),
              MemoryOptions::getValuePolicy,
              MemoryOptions::setValuePolicy),
          Option.of("maxBytes", Kind.LONG, MemoryOptions::getMaxBytes, MemoryOptions::setMaxBytes),
          Option.of(
              "maxPendingOperations",
              Kind.INT,
              MemoryOptions::getMaxPendingOperations,
              MemoryOptions::setMaxPendingOperations),
          Option.of(
              "maxUsageWindows",
              Kind.INT,
              MemoryOptions::getMaxUsageWindows,
              MemoryOptions::setMaxUsageWindows),
          Option.of(
              "maxUsageEvents",
              Kind.INT,
              MemoryOptions::getMaxUsageEvents,
              MemoryOptions::setMaxUsageEvents));

  private int maxValues = DEFAULT_MAX_VALUES;
  private ValuePolicy valuePolicy = DEFAULT_VALUE_POLICY;
  private Long maxBytes;
  private int maxPendingOperations = DEFAULT_MAX_PENDING_OPERATIONS;
  private int maxUsageWindows = DEFAULT_MAX_USAGE_WINDOWS;
  private int maxUsageEvents = DEFAULT_MAX_USAGE_EVENTS;

  /** All defaults. */
  public MemoryOptions() {}

  /** A copy that shares nothing with the other. */
  public MemoryOptions(MemoryOptions other) {
    SECTION.copy(other, this);
  }

  /**
   * Reads JSON; what it does not name keeps its default, JSON null included.
   *
   * @throws io.runtimestate.data.RuntimeStateException INVALID_CONFIGURATION naming an unknown name
   *     or an option of the wrong JSON type
   */
  public MemoryOptions(JsonObject json) {
    SECTION.read(json, this);
  }

  /** How many values are kept, above 0; beyond, {@link #getValuePolicy()} decides. */
  public int getMaxValues() {
    return maxValues;
  }

  /** Sets {@link #getMaxValues()}. */
  public MemoryOptions setMaxValues(int maxValues) {
    this.maxValues = maxValues;
    return this;
  }

  /** What happens when a value would exceed a limit. */
  public ValuePolicy getValuePolicy() {
    return valuePolicy;
  }

  /** Sets {@link #getValuePolicy()}; null means the default. */
  public MemoryOptions setValuePolicy(ValuePolicy valuePolicy) {
    this.valuePolicy = Objects.requireNonNullElse(valuePolicy, DEFAULT_VALUE_POLICY);
    return this;
  }

  /** How many bytes all values may take, above 0; null (the default) for no such limit. */
  public Long getMaxBytes() {
    return maxBytes;
  }

  /** Sets {@link #getMaxBytes()}. */
  public MemoryOptions setMaxBytes(Long maxBytes) {
    this.maxBytes = maxBytes;
    return this;
  }

  /** How many calls may wait for the owner, above 0; beyond, a call fails OVERLOADED. */
  public int getMaxPendingOperations() {
    return maxPendingOperations;
  }

  /** Sets {@link #getMaxPendingOperations()}. */
  public MemoryOptions setMaxPendingOperations(int maxPendingOperations) {
    this.maxPendingOperations = maxPendingOperations;
    return this;
  }

  /** How many usage windows are kept, above 0. */
  public int getMaxUsageWindows() {
    return maxUsageWindows;
  }

  /** Sets {@link #getMaxUsageWindows()}. */
  public MemoryOptions setMaxUsageWindows(int maxUsageWindows) {
    this.maxUsageWindows = maxUsageWindows;
    return this;
  }

  /** How many usage events are kept in all windows together, above 0. */
  public int getMaxUsageEvents() {
    return maxUsageEvents;
  }

  /** Sets {@link #getMaxUsageEvents()}. */
  public MemoryOptions setMaxUsageEvents(int maxUsageEvents) {
    this.maxUsageEvents = maxUsageEvents;
    return this;
  }

  /** The options as JSON. */
  public JsonObject toJson() {
    return SECTION.write(this, false);
  }

  void check() {
    Rules.positive("memory.maxValues", maxValues);
    Rules.positive("memory.maxBytes", maxBytes);
    Rules.positive("memory.maxPendingOperations", maxPendingOperations);
    Rules.positive("memory.maxUsageWindows", maxUsageWindows);
    Rules.positive("memory.maxUsageEvents", maxUsageEvents);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MemoryOptions that
        && SECTION.identity(this).equals(SECTION.identity(that));
  }

  @Override
  public int hashCode() {
    return SECTION.identity(this).hashCode();
  }

  /** The class name and {@link #toJson()}: no secrets. */
  @Override
  public String toString() {
    return "MemoryOptions" + toJson().encode();
  }
}
