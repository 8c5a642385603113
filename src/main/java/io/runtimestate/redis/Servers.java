package io.runtimestate.redis;

import io.runtimestate.operation.QueueOperation.Read;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The servers behind the options, and which of them a command goes to. */
interface Servers {
  /** The lanes of the server a command belongs to. */
  Lanes of(RedisCommand command);

  /**
   * The lanes of the server that a redirection names; empty if redirections are not followed.
   *
   * @param asked the host of the server that says so
   */
  Optional<Lanes> redirected(Exchange<?> exchange, String asked, String error);

  /** Something suggests that the servers are not what they are thought to be. */
  void doubt();

  /**
   * One slot of each server that owns any, in ascending order: how a server is addressed without a
   * key. It stays the same when another server takes over.
   */
  List<Integer> shards();

  /** Whether keys of different slots need commands of their own. */
  boolean haveSlots();

  /** What all lanes have in common. */
  LaneKinds kinds();

  /** Connects to a server: the first that is heard of any. */
  Future<Link> open(long timeoutMillis);

  /** Connects what the opener will use next. */
  Future<Void> openOthers(long timeoutMillis);

  /** Connects to a server that hears whatever is published to any of them. */
  Connector forNotices();

  /** Ends the wait of that very read, wherever it waits. */
  void endRead(Read read);

  /** Ends all reads that wait. */
  Future<Void> closeBlocking();

  /** Fails what is pending and closes all connections. */
  Future<Void> close();
}
