/**
 * Runtime coordination state for Vert.x applications, in memory or in Redis.
 *
 * <p>Metrics, health checks and the node's launcher are optional at run time; the Redis client is
 * not, because a missing jar should be noticed when the application starts.
 */
module io.runtimestate {
  requires transitive io.vertx.core;
  requires io.vertx.core.logging;
  requires io.vertx.redis.client;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires java.logging;
  requires static io.vertx.healthcheck;
  requires static io.vertx.launcher.application;
  requires static io.vertx.metrics.micrometer;
  requires static micrometer.core;

  exports io.runtimestate;
  exports io.runtimestate.config;
  exports io.runtimestate.data;
  exports io.runtimestate.lease;
  exports io.runtimestate.observe; // the health check and the statistics wrapper
  exports io.runtimestate.operation;
  exports io.runtimestate.spi;
  exports io.runtimestate.worker;
}
