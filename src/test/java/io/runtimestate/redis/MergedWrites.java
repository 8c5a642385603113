package io.runtimestate.redis;

import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;

/** Lends the writing of the lanes to the plain client, to see what else separates it from them. */
public final class MergedWrites {
  private MergedWrites() {}

  /** Sockets made with it write once per turn. */
  public static Vertx of(Vertx vertx) {
    return new FlushMergingVertx((VertxInternal) vertx);
  }
}
