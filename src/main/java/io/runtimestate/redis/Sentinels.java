package io.runtimestate.redis;

import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RedisUrl;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;

/** Asks the sentinels for the master, anew for each connection. */
final class Sentinels {
  private final List<RedisUrl> sentinels;
  private final RedisUrl like;
  private final String masterName;

  Sentinels(RedisOptions options) {
    this.sentinels = options.effectiveSentinels();
    this.like = options.effectiveEndpoints().get(0);
    this.masterName = options.getMasterName();
  }

  Future<RedisUrl> master(Lookup lookup) {
    Request question = Request.cmd(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", masterName);
    return lookup.ask(sentinels, question).map(answer -> read(answer.reply(), answer.by()));
  }

  private RedisUrl read(Response reply, RedisUrl sentinel) {
    if (reply == null) {
      throw new RuntimeStateException(
          FailureCode.INVALID_CONFIGURATION,
          "open: redis.masterName is not known to the sentinels");
    }
    List<String> parts = Replies.texts(reply);
    int port = Integer.parseInt(parts.get(1));
    return Address.of(parts.get(0), port, sentinel.host()).like(like);
  }
}
