package io.runtimestate.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.redis.MergedWrites;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
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
  private static final int MOST_WAITING = 65_536;

  /** The others do not give up earlier either, whatever else the machine does. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  final Context caller = loop();
  private final URI uri;
  private RedisSide side;
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

  /** The processor time that the server has used so far. */
  long serverCpuNanos() {
    if (side == null) {
      side = closing(RedisSide.open(uri));
    }
    Map<String, String> cpu = side.info("cpu");
    double seconds =
        Double.parseDouble(cpu.get("used_cpu_user")) + Double.parseDouble(cpu.get("used_cpu_sys"));
    return Math.round(seconds * 1e9);
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
                  .setCommandTimeout(PATIENCE)
                  .setRedis(
                      new RedisOptions()
                          .setUrl(uri.toString())
                          .setOpenTimeout(PATIENCE)
                          .setMaxPendingCommands(MOST_WAITING)));
    }
    return state;
  }

  /** A connection of the plain client on the caller's loop, held for the whole run. */
  RedisConnection plain() throws Exception {
    if (plain == null) {
      plain = plain(caller);
    }
    return plain;
  }

  /** Another connection of the plain client, on the loop of a context. */
  RedisConnection plain(Context context) throws Exception {
    return on(context, () -> plainClient(vertx).connect());
  }

  /** A connection of the plain client that writes like one of ours. */
  RedisConnection merging() throws Exception {
    return on(caller, () -> plainClient(MergedWrites.of(vertx)).connect());
  }

  /** Has the server learn one of our scripts for the plain client; answers its hash. */
  String script(String... names) throws Exception {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(resource("/io/runtimestate/redis/lua/" + name + ".lua"));
    }
    return load(text.toString());
  }

  /** Has the server learn a script; answers its hash. */
  String load(String script) throws Exception {
    RedisConnection connection = plain();
    return on(caller, () -> connection.send(Request.cmd(Command.SCRIPT, "LOAD", script)))
        .toString();
  }

  private static String resource(String path) throws IOException {
    try (InputStream in = RedisStage.class.getResourceAsStream(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Redis plainClient(Vertx itsVertx) {
    return Redis.createClient(
        itsVertx,
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
