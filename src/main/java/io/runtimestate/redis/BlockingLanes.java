package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.QueueOperation.Read;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Connections on which one read each waits at the server, so that waiting delays nobody else.
 *
 * <p>They are made when needed, up to a limit, and used again. Further reads stand in a line for
 * them, having sent nothing; when such a read has waited for as long as it wanted, it asks once,
 * without waiting, on a lane that is shared. A connection whose read was given up is closed: the
 * server might still put entries into it that were meant for a later reader.
 *
 * <p>Everything but {@link #read} happens on one event loop.
 */
final class BlockingLanes implements Link.Owner {
  private static final long SWEEP_MILLIS = 20;
  private static final long RETRY_MILLIS = 50;

  private final Loop loop;
  private final Connector connector;
  private final Servers servers;
  private final LaneEvents events;
  private final int maxLanes;
  private final int maxReads;
  private final AtomicInteger reads; // on all servers
  private final Set<BlockedRead> line = new LinkedHashSet<>();
  private final Deque<Link> idle = new ArrayDeque<>();
  private final Map<Link, BlockedRead> busy = new HashMap<>();
  private final Set<BlockedRead> moving = new HashSet<>(); // between two servers
  private final Set<Attempt> attempts = new HashSet<>();
  private final Backoff backoff = new Backoff();
  private Runnable cancelPause;
  private Runnable cancelSweep;
  private boolean everConnected;
  private int lost; // connections that went down and were not replaced
  private Link givenUp;
  private boolean retired;
  private boolean closed;

  /**
   * @param maxLanes how many reads wait at the server at a time
   * @param maxReads how many wait at all
   */
  BlockingLanes(Loop loop, Connector connector, Servers servers, int maxLanes, int maxReads) {
    this.loop = loop;
    this.connector = connector;
    this.servers = servers;
    this.events = servers.kinds().of(LaneKind.BLOCKING);
    this.maxLanes = maxLanes;
    this.maxReads = maxReads;
    this.reads = servers.kinds().blockedReads();
  }

  /** Takes a read, from any thread. */
  Future<List<QueueEntry>> read(
      Read read, Call call, BiFunction<Read, Long, RedisCommand> command) {
    if (reads.incrementAndGet() > maxReads) {
      reads.decrementAndGet();
      return call.fail(
          FailureCode.OVERLOADED,
          "maxBlockedReads is " + maxReads + " and all are in use; raise it");
    }
    BlockedRead blocked = new BlockedRead(read, call, command, call.promise());
    Future<List<QueueEntry>> answer = blocked.promise.future();
    answer.onComplete(ended -> reads.decrementAndGet());
    take(blocked);
    return answer;
  }

  private void take(BlockedRead blocked) {
    loop.run(() -> accept(blocked));
  }

  private void accept(BlockedRead blocked) {
    if (closed) {
      blocked.fail(FailureCode.CLOSED, "closed");
    } else if (retired && ownerOf(blocked) != this) {
      ownerOf(blocked).take(blocked);
    } else {
      line.add(blocked);
      sweepWaiting(blocked, System.nanoTime()); // its time may have ended on its way here
      serve();
      sweepLater();
    }
  }

  /** Gives lanes to those in front of the line, and makes new ones for the others. */
  private void serve() {
    while (!line.isEmpty() && !idle.isEmpty()) {
      BlockedRead next = line.iterator().next();
      line.remove(next);
      Link link = idle.pop();
      busy.put(link, next);
      next.sendOn(link, events.meter(), System.nanoTime());
    }
    while (wantsLane()) {
      connect();
    }
  }

  private boolean wantsLane() {
    return attempts.size() < line.size()
        && busy.size() + idle.size() + attempts.size() < maxLanes
        && cancelPause == null
        && !closed;
  }

  private void connect() {
    Attempt attempt = connector.connect(loop, events.kind(), Connector.ATTEMPT_MILLIS);
    attempts.add(attempt);
    attempt
        .link()
        .onComplete(
            link -> {
              attempts.remove(attempt);
              adopt(link);
            },
            failure -> {
              attempts.remove(attempt);
              servers.doubt();
              pause();
            });
  }

  private void adopt(Link link) {
    if (closed || retired && line.isEmpty()) { // nobody would close it later
      link.close();
      return;
    }
    link.ownedBy(this);
    tellOfNew();
    idle.push(link);
    serve();
  }

  /** Growing is nothing to tell; the first connection is, and one in place of a lost one. */
  private void tellOfNew() {
    if (lost > 0 || !everConnected) {
      events.up(everConnected);
      lost = Math.max(0, lost - 1);
    } else {
      events.opened();
    }
    everConnected = true;
  }

  /** The server cannot be reached: those in line wait for as long as they wanted, or less. */
  private void pause() {
    if (cancelPause == null && !closed) {
      cancelPause =
          loop.later(
              backoff.nextMillis(),
              () -> {
                cancelPause = null;
                serve();
              });
    }
  }

  private void sweepLater() {
    if (cancelSweep == null && !closed && !(line.isEmpty() && busy.isEmpty())) {
      cancelSweep = loop.later(SWEEP_MILLIS, this::sweep);
    }
  }

  private void sweep() {
    cancelSweep = null;
    long now = System.nanoTime();
    List.copyOf(line).forEach(blocked -> sweepWaiting(blocked, now));
    Map.copyOf(busy).forEach((link, blocked) -> sweepBusy(link, blocked, now));
    sweepLater();
  }

  private void sweepWaiting(BlockedRead blocked, long now) {
    if (blocked.call.isOverdue(now)) {
      line.remove(blocked);
      blocked.timeOut();
    } else if (blocked.isOver(now)) {
      line.remove(blocked);
      blocked
          .call
          .send(LaneKind.FAST, blocked.immediate(), StreamReplies::read)
          .onComplete(blocked.promise);
    }
  }

  private void sweepBusy(Link link, BlockedRead blocked, long now) {
    if (blocked.call.isOverdue(now)) {
      blocked.timeOut();
      link.die("timed out");
    }
  }

  /** Ends the wait of that very read, if it waits. */
  void end(Read read) {
    loop.soon(() -> endHere(read));
  }

  private void endHere(Read read) {
    Stream.concat(line.stream(), moving.stream())
        .filter(waiting -> waiting.read == read)
        .toList()
        .forEach(this::endWaiting);
    Map.copyOf(busy)
        .forEach(
            (link, blocked) -> {
              if (blocked.read == read) {
                blocked.end();
                givenUp = link;
                link.die("given up");
              }
            });
  }

  private void endWaiting(BlockedRead waiting) {
    line.remove(waiting);
    moving.remove(waiting);
    waiting.end();
  }

  @Override
  public void released(Exchange<?> exchange) {
    events.meter().pending(-1);
  }

  @Override
  public void succeeded(Exchange<?> exchange) {
    backoff.reset();
    free(exchange);
  }

  /** Any refusal proves that nothing waits on this connection any more. */
  @Override
  public void refused(Exchange<?> exchange, String error) {
    switch (ServerErrors.reactionTo(error)) {
      case REDIRECT -> follow(exchange, error);
      case RETRY -> waitElsewhere(leave(exchange));
      case RECONNECT -> {
        exchange.failWith(ServerErrors.translate(exchange.call, error));
        linkOf(exchange).die("the server takes no writes any more");
      }
      default -> refused(exchange, ServerErrors.translate(exchange.call, error));
    }
  }

  /** A stream that moves to another server of a cluster has gone from here, and only from here. */
  private void refused(Exchange<?> exchange, RuntimeStateException failure) {
    if (servers.haveSlots() && isGone(failure.code())) {
      readThenWait(leave(exchange));
    } else {
      exchange.failWith(failure);
      free(exchange);
    }
  }

  private static boolean isGone(FailureCode code) {
    return code == FailureCode.NO_SUCH_STREAM || code == FailureCode.NO_SUCH_GROUP;
  }

  /** Nobody can wait at a server that has the slot on loan: until it is given away, this asks. */
  private void follow(Exchange<?> exchange, String error) {
    if (servers.redirected(exchange, exchange.serverHost(), error).isEmpty()) {
      exchange.failWith(ServerErrors.translate(exchange.call, error));
      free(exchange);
    } else if (exchange.asksFirst()) {
      readThenWait(leave(exchange));
    } else {
      waitElsewhere(leave(exchange));
    }
  }

  /** It did not run, and is on its way to where it belongs. */
  private BlockedRead leave(Exchange<?> exchange) {
    BlockedRead blocked = busy.get(linkOf(exchange));
    free(exchange);
    servers.doubt();
    blocked.waitAgain();
    moving.add(blocked);
    return blocked;
  }

  private void waitElsewhere(BlockedRead blocked) {
    loop.later(
        RETRY_MILLIS,
        () -> {
          if (moving.remove(blocked)) {
            ownerOf(blocked).take(blocked);
          }
        });
  }

  /** Takes what is there already, wherever that is, before it waits again. */
  private void readThenWait(BlockedRead blocked) {
    blocked
        .call
        .send(LaneKind.FAST, blocked.immediate(), StreamReplies::read)
        .onComplete(result -> loop.run(() -> readOnce(blocked, result)));
  }

  private void readOnce(BlockedRead blocked, AsyncResult<List<QueueEntry>> result) {
    if (result.succeeded() && result.result().isEmpty()) {
      waitElsewhere(blocked);
    } else if (moving.remove(blocked)) {
      blocked.promise.handle(result);
    }
  }

  private BlockingLanes ownerOf(BlockedRead blocked) {
    return servers.of(blocked.immediate()).blocking();
  }

  /** The servers have changed: who waits here may belong elsewhere. */
  void reroute() {
    loop.run(
        () -> {
          List<BlockedRead> others =
              line.stream().filter(blocked -> ownerOf(blocked) != this).toList();
          others.forEach(line::remove);
          others.forEach(blocked -> ownerOf(blocked).take(blocked));
        });
  }

  /** The server is not needed any more. */
  void retire() {
    loop.run(
        () -> {
          retired = true;
          List.copyOf(idle).forEach(link -> link.die("retired"));
          reroute();
        });
  }

  private Link linkOf(Exchange<?> exchange) {
    return busy.entrySet().stream()
        .filter(lane -> lane.getValue().isOf(exchange))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  /** Its connection can be used again, once this answer has been dealt with. */
  private void free(Exchange<?> exchange) {
    Link link = linkOf(exchange);
    busy.remove(link);
    if (retired) {
      loop.soon(() -> link.die("retired"));
    } else {
      idle.push(link);
      loop.soon(this::serve);
    }
  }

  @Override
  public void died(Link link) {
    busy.remove(link);
    idle.remove(link);
    servers.doubt();
    if (link == givenUp) {
      givenUp = null;
      events.retired();
    } else if (!closed) {
      lost++;
      events.down();
    }
    loop.soon(this::serve);
  }

  /** Fails whoever waits and closes the connections; nothing is left afterwards. */
  Future<Void> close() {
    Promise<Void> done = Promise.promise();
    loop.soon(() -> closeHere().onComplete(done));
    return done.future();
  }

  private Future<Void> closeHere() {
    closed = true;
    cancel(cancelPause);
    cancel(cancelSweep);
    Stream.concat(line.stream(), moving.stream())
        .toList()
        .forEach(blocked -> blocked.fail(FailureCode.CLOSED, "closed"));
    line.clear();
    moving.clear();
    List<Future<Void>> ends = new ArrayList<>();
    List.copyOf(attempts).forEach(attempt -> ends.add(attempt.abandon()));
    List.copyOf(busy.keySet()).forEach(link -> ends.add(link.close()));
    idle.forEach(link -> ends.add(link.close()));
    return ends.isEmpty() ? loop.done() : Future.join(ends).mapEmpty();
  }

  private static void cancel(Runnable timer) {
    if (timer != null) {
      timer.run();
    }
  }
}
