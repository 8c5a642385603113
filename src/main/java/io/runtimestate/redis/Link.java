package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;

/**
 * One physical connection and what was sent on it. Confined to its event loop.
 *
 * <p>Closing a connection of the client does not close its socket, so every connection has a client
 * of its own, and that is closed. However a connection ends, {@link #die} is the one way out: what
 * was in flight fails once, and the owner hears of it once.
 */
final class Link {
  /**
   * How long after its deadline a command may stay unanswered before the connection is given up.
   */
  static final long PATIENCE_MILLIS = 2_000;

  /** Whoever holds a connection. One that sends no exchanges only hears of its end. */
  interface Owner {
    /** The exchange has left the connection. */
    default void released(Exchange<?> exchange) {}

    /** The server refused it; it has left the connection and is not settled. */
    default void refused(Exchange<?> exchange, String error) {}

    /** The server owes answers beyond their deadline. */
    default void late() {}

    /** A command was carried out. */
    default void succeeded(Exchange<?> exchange) {}

    /** The connection is gone. */
    void died(Link link);
  }

  private final Redis client;
  private final RedisConnection connection;
  private final String host;
  private final String serverId;
  private final Flight flight = new Flight();
  private Owner owner;
  private boolean dead;
  private boolean retired;

  /**
   * @param host where it leads, empty for a socket of this machine
   * @param serverId names the server process, or this connection if the server does not tell
   */
  Link(Redis client, RedisConnection connection, String host, String serverId) {
    this.client = client;
    this.connection = connection;
    this.host = host;
    this.serverId = serverId;
  }

  /** Takes it over; from now on the owner hears of everything. */
  void ownedBy(Owner newOwner) {
    owner = newOwner;
    connection.exceptionHandler(broken -> die("connection lost"));
    connection.endHandler(ended -> die("connection lost"));
  }

  String host() {
    return host;
  }

  String serverId() {
    return serverId;
  }

  /** A question of the library itself, outside all counts and deadlines. */
  Future<Response> ask(RedisCommand command) {
    return connection.send(command.request());
  }

  /**
   * Subscribes to a channel, on a connection that sends nothing else: what arrives then answers
   * nothing, and the client would take it for an answer.
   *
   * @param heard gets messages, confirmations and refusals
   */
  void subscribe(String channel, Handler<Response> heard) {
    connection.handler(heard);
    connection.send(RedisCommand.of(Command.SUBSCRIBE).arg(channel).request());
  }

  void send(Exchange<?> exchange) {
    begin(exchange);
    if (exchange.asksFirst()) {
      connection.send(Request.cmd(Command.ASKING));
    }
    connection.send(exchange.command().request()).onComplete(exchange);
  }

  /** Sends several as one command; to everybody else they are as many as they are. */
  void sendTogether(List<Exchange<?>> members) {
    if (members.size() == 1) {
      send(members.get(0));
    } else {
      members.forEach(this::begin);
      Batch batch = new Batch(this, members);
      connection.send(batch.command().request()).onComplete(batch);
    }
  }

  private void begin(Exchange<?> exchange) {
    flight.add(exchange);
    exchange.sentOn(this);
  }

  /** Whether nothing is in flight. */
  boolean isIdle() {
    return flight.isEmpty();
  }

  void answered(Exchange<?> exchange, Response response, Throwable failure) {
    if (failure != null) {
      failed(exchange, failure);
    } else if (left(exchange)) {
      owner.succeeded(exchange);
      exchange.answer(response);
      closeIfSpent();
    }
  }

  /** The same of one that travelled with others. */
  void answered(Exchange<?> exchange, String line) {
    if (left(exchange)) {
      owner.succeeded(exchange);
      exchange.answerLine(line);
      closeIfSpent();
    }
  }

  void failed(Exchange<?> exchange, Throwable failure) {
    if (ServerErrors.isReply(failure)) {
      refused(exchange, failure.getMessage());
    } else if (!dead) {
      broken(exchange, failure);
    }
  }

  void refused(Exchange<?> exchange, String error) {
    if (left(exchange)) {
      if (!exchange.isSettled()) {
        owner.refused(exchange, error);
      }
      closeIfSpent();
    }
  }

  /** Takes it out; false if the connection is dead, since everything was settled when it died. */
  private boolean left(Exchange<?> exchange) {
    if (!dead) {
      flight.remove(exchange);
      owner.released(exchange);
    }
    return !dead;
  }

  /** The client gave up on one exchange; some reasons concern only that one. */
  private void broken(Exchange<?> exchange, Throwable failure) {
    ServerErrors.ofClient(exchange.call, failure).ifPresent(exchange::failWith);
    if (ServerErrors.concernsCommandOnly(failure)) {
      flight.remove(exchange);
      owner.released(exchange);
    } else {
      die("connection lost");
    }
  }

  /** Ends waits that are overdue; a connection that does not answer any more is given up. */
  void sweep(long now) {
    flight.each(exchange -> exchange.timeOutIfOverdue(now));
    if (flight.any(exchange -> exchange.call.isOverdueBy(PATIENCE_MILLIS, now))) {
      die("the server does not answer");
    } else if (flight.any(exchange -> exchange.call.isOverdue(now))) {
      owner.late();
    }
  }

  /** Nothing more is sent on it; it closes when everything is answered. */
  void retire() {
    retired = true;
    closeIfSpent();
  }

  private void closeIfSpent() {
    if (retired && flight.isEmpty()) {
      die("retired");
    }
  }

  void die(String reason) {
    if (!dead) {
      dead = true;
      client.close();
      owner.died(this);
      failAll(FailureCode.UNAVAILABLE, reason);
    }
  }

  /** Closes it because its owner closes. */
  Future<Void> close() {
    dead = true;
    failAll(FailureCode.CLOSED, "closed");
    return client.close();
  }

  private void failAll(FailureCode code, String reason) {
    for (Exchange<?> next = flight.poll(); next != null; next = flight.poll()) {
      owner.released(next);
      next.failWith(code, reason);
    }
  }
}
