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
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * One attempt to make a connection, handshake included. Confined to its event loop; whatever ends
 * it early closes its client.
 *
 * <p>A server, a proxy or a user without the permission may refuse HELLO in many ways. All of them
 * but a wrong password lead to one more try without it, in RESP2.
 */
final class Attempt {
  private final Connector connector;
  private final Loop loop;
  private final LaneKind kind;
  private final long timeoutMillis;
  private final long startedAt = System.nanoTime();
  private final Promise<Link> link = Promise.promise();
  private final Lookup lookup;
  private Runnable cancelTimer;
  private Redis client;

  Attempt(Connector connector, Loop loop, LaneKind kind, long timeoutMillis) {
    this.connector = connector;
    this.loop = loop;
    this.kind = kind;
    this.timeoutMillis = timeoutMillis;
    this.lookup = new Lookup(connector, loop);
  }

  Future<Link> link() {
    return link.future();
  }

  long ageMillis() {
    return (System.nanoTime() - startedAt) / 1_000_000;
  }

  void start() {
    cancelTimer = loop.later(timeoutMillis, () -> end(new TimeoutException()));
    connect(connector.negotiates());
  }

  /** Gives it up. */
  Future<Void> abandon() {
    end(new IOException("closed"));
    return Future.join(lookup.end(), client == null ? loop.done() : client.close()).mapEmpty();
  }

  private void connect(boolean negotiate) {
    connector
        .server(lookup)
        .compose(
            place -> connector.credentials(place, loop).compose(who -> open(place, who, negotiate)))
        .onComplete(made -> succeed(made, negotiate), refused -> failed(refused, negotiate));
  }

  private Future<Link> open(RedisUrl place, Credentials who, boolean negotiate) {
    Promise<Link> made = Promise.promise();
    loop.runApart(() -> openHere(place, who, negotiate).onComplete(made));
    return made.future();
  }

  private Future<Link> openHere(RedisUrl place, Credentials who, boolean negotiate) {
    if (link.future().isComplete()) {
      return link(); // given up while the server was looked for
    }
    client = connector.client(kind, place, who, negotiate, timeoutMillis);
    return client.connect().compose(connection -> handshake(connection, place, negotiate, who));
  }

  private void succeed(Link made, boolean negotiated) {
    cancelTimer.run();
    if (!negotiated) {
      connector.helloRefused();
    }
    if (!link.tryComplete(made)) {
      made.close();
    }
  }

  private void failed(Throwable refused, boolean negotiated) {
    if (negotiated && client != null && mayBeHello(refused) && !link.future().isComplete()) {
      client.close();
      connect(false);
    } else {
      end(refused);
    }
  }

  private boolean mayBeHello(Throwable refused) {
    return connector.settings().fallsBack()
        && !(refused instanceof IOException)
        && !(refused.getMessage() + "").startsWith("CONNECTION_CLOSED")
        && !(refused.getMessage() + "").startsWith("WRONGPASS");
  }

  private void end(Throwable reason) {
    cancelTimer.run();
    if (link.tryFail(reason)) {
      lookup.end();
      if (client != null) {
        client.close();
      }
    }
  }

  private Future<Link> handshake(
      RedisConnection connection, RedisUrl place, boolean negotiated, Credentials who) {
    connection.exceptionHandler(broken -> {}); // the command that fails tells; else it is logged
    return (negotiated ? loop.done() : signIn(connection, who))
        .compose(
            signedIn ->
                connector.settings().needsMaster() ? requireMaster(connection) : loop.done())
        .compose(isMaster -> prepare(connection, negotiated))
        .compose(prepared -> serverId(connection))
        .map(id -> new Link(client, connection, place.host(), id));
  }

  /** Without HELLO the client signs in only if the server insists. */
  private Future<Void> signIn(RedisConnection connection, Credentials who) {
    return who.isNone()
        ? loop.done()
        : connection.send(Request.cmd(Command.AUTH, who.username(), who.password())).mapEmpty();
  }

  /** The sentinels go on naming a master that has become a replica, for a while. */
  private Future<Void> requireMaster(RedisConnection connection) {
    return optional(connection, Request.cmd(Command.ROLE)).map(Attempt::requireMaster);
  }

  private static Void requireMaster(Response role) {
    if (role != null && !Replies.text(role.get(0)).equals("master")) {
      throw new UncheckedIOException(new IOException("not the master any more"));
    }
    return null;
  }

  private Future<Void> prepare(RedisConnection connection, boolean negotiated) {
    Stream<Request> name = negotiated ? Stream.empty() : Stream.of(nameOf(kind));
    Stream<Script> scripts = kind.callsScripts() ? connector.scripts().stream() : Stream.empty();
    Stream<Request> load = scripts.map(Attempt::loading);
    List<Future<Response>> all =
        Stream.concat(name, load).map(request -> optional(connection, request)).toList();
    return all.isEmpty() ? loop.done() : Future.all(all).mapEmpty();
  }

  private static Request nameOf(LaneKind kind) {
    return Request.cmd(Command.CLIENT, "SETNAME", ClientSettings.connectionName(kind));
  }

  private static Request loading(Script script) {
    return Request.cmd(Command.SCRIPT, "LOAD", script.text());
  }

  /** Which process a cursor belongs to; only scans ask. */
  private Future<String> serverId(RedisConnection connection) {
    return kind == LaneKind.ADMIN
        ? optional(connection, Request.cmd(Command.INFO, "server")).map(Attempt::runId)
        : loop.done().map(unasked -> "");
  }

  private static String runId(Response info) {
    return info == null
        ? UUID.randomUUID().toString().replace("-", "")
        : InfoText.parse(Replies.text(info)).text("run_id").orElse("unknown");
  }

  /** The reply, or null if the server refused: not everybody may do everything. */
  private static Future<Response> optional(RedisConnection connection, Request request) {
    return connection.send(request).otherwise(Attempt::nothingIfRefused);
  }

  private static Response nothingIfRefused(Throwable failure) {
    if (!ServerErrors.isReply(failure)) {
      throw new UncheckedIOException(new IOException("connection lost"));
    }
    return null;
  }
}
