package io.runtimestate.memory;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Owns life and death of one state: as long as it is deployed, the state lives. */
final class OwnerVerticle extends VerticleBase {
  private final Owner owner;

  OwnerVerticle(Owner owner) {
    this.owner = owner;
  }

  @Override
  public Future<?> stop() {
    return owner.close();
  }
}
