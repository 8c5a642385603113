package io.runtimestate.redis;

import io.runtimestate.config.RedisUrl;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Asks servers where others are, one after the other until one answers, each on a connection that
 * is closed afterwards. Such questions are rare, and a held connection would be one more that can
 * be lost when it is needed. Confined to its event loop.
 */
final class Lookup {
  private static final long MOST_MILLIS = 1_000;

  private final Connector connector;
  private final Loop loop;
  private final Map<Promise<Answer>, Redis> asking = new HashMap<>();
  private boolean ended;

  Lookup(Connector connector, Loop loop) {
    this.connector = connector;
    this.loop = loop;
  }

  /** Needs no question. */
  Future<RedisUrl> known(RedisUrl server) {
    return loop.known(server);
  }

  /** What one of them said. */
  record Answer(RedisUrl by, Response reply) {}

  /** The first answer; fails as the last of them failed. */
  Future<Answer> ask(List<RedisUrl> servers, Request question) {
    Future<Answer> first = ask(servers.get(0), question);
    return servers.size() == 1
        ? first
        : first.recover(failed -> ask(servers.subList(1, servers.size()), question));
  }

  /** Gives up what is asked and asks nothing more; completes when no connection is left. */
  Future<Void> end() {
    Promise<Void> done = Promise.promise();
    loop.run(
        () -> {
          ended = true;
          List<Future<Void>> closed =
              Map.copyOf(asking).entrySet().stream().map(Lookup::giveUp).toList();
          (closed.isEmpty() ? loop.done() : Future.join(closed).<Void>mapEmpty()).onComplete(done);
        });
    return done.future();
  }

  private static Future<Void> giveUp(Map.Entry<Promise<Answer>, Redis> asked) {
    asked.getKey().tryFail(new IOException("closed"));
    return asked.getValue().close();
  }

  private Future<Answer> ask(RedisUrl server, Request question) {
    Promise<Answer> answer = Promise.promise();
    loop.runApart(() -> askUnlessEnded(server, question, answer));
    return answer.future();
  }

  private void askUnlessEnded(RedisUrl server, Request question, Promise<Answer> answer) {
    if (ended) {
      answer.fail(new IOException("closed"));
    } else {
      ask(server, question, answer);
    }
  }

  private void ask(RedisUrl server, Request question, Promise<Answer> answer) {
    Redis client = connector.lookupClient(server, MOST_MILLIS);
    Runnable cancelTimer = loop.later(MOST_MILLIS, () -> answer.tryFail(new TimeoutException()));
    asking.put(answer, client);
    answer
        .future()
        .onComplete(
            done -> {
              cancelTimer.run();
              asking.remove(answer);
              client.close();
            });
    connector
        .credentials(server, loop)
        .compose(credentials -> client.connect().compose(made -> signedIn(made, credentials)))
        .compose(connection -> connection.send(question))
        .map(reply -> new Answer(server, reply))
        .onComplete(answer::tryComplete, answer::tryFail);
  }

  /** A server without a password refuses one; the question tells whether it needs another. */
  private Future<RedisConnection> signedIn(RedisConnection connection, Credentials credentials) {
    return credentials.isNone()
        ? loop.known(connection)
        : connection
            .send(Request.cmd(Command.AUTH, credentials.username(), credentials.password()))
            .transform(tried -> loop.known(connection));
  }
}
