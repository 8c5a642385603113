package io.runtimestate.eventbus;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;

/**
 * A base that is taken in one Vert.x instance. Its entry in the instance's shared data makes taking
 * it atomic and tells clients whether they may hand over records by reference.
 */
final class Exposure implements Shareable {
  private static final String MAP = "io.runtimestate.eventbus";

  private final LocalMap<String, Exposure> taken;
  private final String base;
  private volatile boolean serving;
  private volatile boolean gone;

  private Exposure(LocalMap<String, Exposure> taken, String base) {
    this.taken = taken;
    this.base = base;
  }

  /**
   * Takes a base.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION if it is taken
   */
  static Exposure take(Vertx vertx, String base) {
    LocalMap<String, Exposure> taken = in(vertx);
    Exposure exposure = new Exposure(taken, base);
    if (taken.putIfAbsent(base, exposure) != null) {
      throw new RuntimeStateException(
          FailureCode.INVALID_CONFIGURATION,
          "eventBus.base is exposed by another runtime of this Vertx");
    }
    return exposure;
  }

  /** The bases that are taken in a Vert.x instance. */
  static LocalMap<String, Exposure> in(Vertx vertx) {
    return vertx.sharedData().getLocalMap(MAP);
  }

  /** Whether all addresses are there now. */
  boolean isServing() {
    return serving;
  }

  void serving(boolean serving) {
    this.serving = serving;
  }

  /** Whether no address is left, so that no message can arrive any more. */
  boolean isGone() {
    return gone;
  }

  void free() {
    gone = true;
    taken.removeIfPresent(base, this);
  }
}
