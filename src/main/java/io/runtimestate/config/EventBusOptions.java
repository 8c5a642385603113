package io.runtimestate.config;

import io.vertx.core.json.JsonObject;
import java.util.Objects;

/** Whether and where a runtime answers on the event bus. */
public final class EventBusOptions {
  /** Not exposed. */
  public static final boolean DEFAULT_EXPOSE = false;

  /** The base of addresses like {@code runtime-state.kv.set}. */
  public static final String DEFAULT_BASE = "runtime-state";

  static final Section<EventBusOptions> SECTION =
      new Section<>(
          "eventBus.",
          Option.of("expose", Kind.FLAG, EventBusOptions::isExpose, EventBusOptions::setExpose),
          Option.of("base", Kind.TEXT, EventBusOptions::getBase, EventBusOptions::setBase),
          Option.of(
              "scope",
              Kind.words(BusScope.class),
              EventBusOptions::getScope,
              EventBusOptions::setScope));

  private boolean expose = DEFAULT_EXPOSE;
  private String base = DEFAULT_BASE;
  private BusScope scope;

  /** All defaults. */
  public EventBusOptions() {}

  /** A copy that shares nothing with the other. */
  public EventBusOptions(EventBusOptions other) {
    SECTION.copy(other, this);
  }

  /**
   * Reads JSON; what it does not name keeps its default, JSON null included.
   *
   * @throws io.runtimestate.data.RuntimeStateException INVALID_CONFIGURATION naming an unknown name
   *     or an option of the wrong JSON type
   */
  public EventBusOptions(JsonObject json) {
    SECTION.read(json, this);
  }

  /** Whether {@code open} registers one address per operation. */
  public boolean isExpose() {
    return expose;
  }

  /** Sets {@link #isExpose()}. */
  public EventBusOptions setExpose(boolean expose) {
    this.expose = expose;
    return this;
  }

  /** What all addresses begin with: not blank, no dot at either end. */
  public String getBase() {
    return base;
  }

  /** Sets {@link #getBase()}; null means the default. */
  public EventBusOptions setBase(String base) {
    this.base = Objects.requireNonNullElse(base, DEFAULT_BASE);
    return this;
  }

  /** Who can call; null (the default) for local with memory and cluster with Redis. */
  public BusScope getScope() {
    return scope;
  }

  /** Sets {@link #getScope()}. */
  public EventBusOptions setScope(BusScope scope) {
    this.scope = scope;
    return this;
  }

  /** The options as JSON. */
  public JsonObject toJson() {
    return SECTION.write(this, false);
  }

  void check() {
    Rules.busBase("eventBus.base", base);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EventBusOptions that
        && SECTION.identity(this).equals(SECTION.identity(that));
  }

  @Override
  public int hashCode() {
    return SECTION.identity(this).hashCode();
  }

  /** The class name and {@link #toJson()}: no secrets. */
  @Override
  public String toString() {
    return "EventBusOptions" + toJson().encode();
  }
}
