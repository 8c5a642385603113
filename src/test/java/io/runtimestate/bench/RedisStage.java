package io.runtimestate.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Context;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.net.URI;
import java.util.function.Consumer;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * A server and every client, each with its usual settings. Those of Vert.x hold one connection on
 * the caller's loop; Lettuce shares one on a thread of its own; Redisson cannot hold one and takes
 * its pool.
 */
final class RedisStage extends Stage {
  /** More than any scenario has in flight. */
  private static final int MOST_WAITING = 16_384;

  final Context caller = loop();
  private final URI uri;
  private RuntimeState state;
  private RedisConnection plain;
  private RedisClient lettuceClient;
  private RedisAsyncCommands<String, String> lettuce;
  private RedissonClient redisson;

  RedisStage(Arguments arguments) {
    uri = arguments.redis().orElseGet(this::own);
  }

  private URI own() {
    return URI.create(closing(RedisServer.start("save \"\"", "appendonly no")).uri());
  }

  URI uri() {
    return uri;
  }

  /** What an application makes of a text reply. */
  static Consumer<Object> text() {
    return reply -> {
      if (reply != null) {
        reply.toString();
      }
    };
  }

  RuntimeState state() throws Exception {
    if (state == null) {
      state =
          state(
              caller,
              new RuntimeStateOptions()
                  .setRedis(
                      new RedisOptions()
                          .setUrl(uri.toString())
                          .setMaxPendingCommands(MOST_WAITING)));
    }
    return state;
  }

  /** A connection of the plain client on the caller's loop, held for the whole run. */
  RedisConnection plain() throws Exception {
    if (plain == null) {
      plain = on(caller, () -> plainClient().connect());
    }
    return plain;
  }

  private Redis plainClient() {
    return Redis.createClient(
        vertx,
        new io.vertx.redis.client.RedisOptions()
            .setConnectionString(uri.toString())
            .setMaxWaitingHandlers(MOST_WAITING));
  }

  RedisClient lettuceClient() {
    if (lettuceClient == null) {
      RedisClient client = RedisClient.create(uri.toString());
      lettuceClient = client;
      closing(client::shutdown);
    }
    return lettuceClient;
  }

  RedisAsyncCommands<String, String> lettuce() {
    if (lettuce == null) {
      lettuce = lettuceClient().connect().async();
    }
    return lettuce;
  }

  RedissonClient redisson() {
    if (redisson == null) {
      Config config = new Config().setCodec(StringCodec.INSTANCE);
      config.useSingleServer().setAddress(uri.toString());
      RedissonClient client = Redisson.create(config);
      redisson = client;
      closing(client::shutdown);
    }
    return redisson;
  }
}
