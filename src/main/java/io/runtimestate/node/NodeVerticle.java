package io.runtimestate.node;

import io.runtimestate.RuntimeStateVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** What a node consists of; it ends with this verticle, children first. */
final class NodeVerticle extends VerticleBase {

  @Override
  public Future<?> start() {
    return vertx.deployVerticle(
        new RuntimeStateVerticle(), new DeploymentOptions().setConfig(config()));
  }
}
