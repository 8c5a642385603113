package io.runtimestate.bench;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/** Leases taken and given back with the two scripts of a family, sent by hand. */
final class PlainLease {
  /** Who tells of a release. */
  static final String NODE = "node-1";

  private final RedisConnection connection;
  private final String acquire;
  private final String release;

  PlainLease(RedisStage stage, String family) throws Exception {
    this.connection = stage.plain();
    this.acquire = stage.script(family + "_acquire");
    this.release = stage.script(family + "_release");
  }

  /** The beginning of a request to {@link #acquire}; keys and arguments are to follow. */
  Request acquiring(int keys) {
    return Request.cmd(Command.EVALSHA).arg(acquire).arg(keys);
  }

  Future<Response> acquire(Request request) {
    return connection.send(request);
  }

  /** Fails if nothing was released: that would be compared with a release that does something. */
  Future<?> release(String key, String token) {
    return connection
        .send(Request.cmd(Command.EVALSHA, release, 1, key, token, "plain:freed", NODE))
        .compose(PlainLease::freed);
  }

  private static Future<?> freed(Response reply) {
    return reply.toInteger() == 1
        ? Future.succeededFuture()
        : Future.failedFuture("the lease was not released");
  }
}
