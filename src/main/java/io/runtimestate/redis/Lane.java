package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * One logical connection: its backlog, its deadlines, and what becomes of a refused command.
 *
 * <p>Everything but {@link #submit} happens on the lane's event loop, so there is nothing to lock.
 * One sweep every 20 ms, and only while something is in flight, ends all waits that are overdue: a
 * timer per command would cost more than the command.
 */
final class Lane implements Link.Owner {
  private static final long SWEEP_MILLIS = 20;
  private static final long FIRST_RETRY_MILLIS = 10;
  private static final int MOST_DOUBLINGS = 5;
  private static final int MOST_REDIRECTIONS = 5; // without a pause

  private final Loop loop;
  private final LaneEvents events;
  private final Admission admission;
  private final boolean failFast;
  private final Servers servers;
  private final Reconnect reconnect;
  private final Flight waiting = new Flight(); // for a connection
  private final Flight pausing = new Flight(); // before a retry
  private final Joining joining; // until the turn ends
  private final List<Link> links = new ArrayList<>(2); // the current one and those that retire
  private volatile Link current; // written on the loop only
  private boolean again;
  private Runnable cancelSweep;
  private boolean retired;
  private boolean closed;

  Lane(Loop loop, Connector connector, LaneEvents events, LaneLimits limits, Servers servers) {
    this.loop = loop;
    this.events = events;
    this.admission = limits.admission(events.meter());
    this.failFast = limits.failFast();
    this.servers = servers;
    this.joining = new Joining(servers.haveSlots());
    this.reconnect = new Reconnect(loop, connector, events.kind(), this::adopt, this::notConnected);
  }

  /** Takes an exchange, from any thread; exchanges of one thread keep their order. */
  void submit(Exchange<?> exchange) {
    exchange.meterWith(events.meter());
    if (admit(exchange)) {
      if (!loop.isHere()) {
        loop.run(() -> accept(exchange));
      } else if (isNew(exchange)) {
        acceptInTime(exchange);
      } else {
        accept(exchange);
      }
    }
  }

  /** Makes the first connection; what to do about a failure is up to the caller. */
  Future<Link> open(long timeoutMillis) {
    Promise<Link> opened = Promise.promise();
    loop.run(() -> reconnect.once(timeoutMillis).onComplete(opened));
    return opened.future();
  }

  /** Fails what is pending and closes the connection; nothing is left afterwards. */
  Future<Void> close() {
    Promise<Void> done = Promise.promise();
    loop.soon(() -> closeHere().onComplete(done));
    return done.future();
  }

  private boolean admit(Exchange<?> exchange) {
    String full = admission.enter(exchange.command().size()).orElse(null);
    if (full != null) {
      exchange.failSoon(FailureCode.OVERLOADED, full);
    }
    return full == null;
  }

  /** Whether its call has only just been made, so that its time cannot be over. */
  private static boolean isNew(Exchange<?> exchange) {
    return exchange.isFirst() && exchange.retries() == 0;
  }

  private void accept(Exchange<?> exchange) {
    if (!closed && exchange.call.isOverdue(System.nanoTime())) {
      released(exchange);
      exchange.call.soon(exchange::timeOut);
    } else {
      acceptInTime(exchange);
    }
  }

  private void acceptInTime(Exchange<?> exchange) {
    if (closed) {
      refuse(exchange, FailureCode.CLOSED, "closed");
    } else if (current != null) {
      send(exchange);
      sweepLater();
    } else if (retired) {
      moveOn(exchange);
    } else if (failFast && reconnect.hasFailed()) {
      refuse(exchange, FailureCode.UNAVAILABLE, "not connected");
    } else {
      waiting.add(exchange);
      reconnect.start();
      sweepLater();
    }
  }

  /** One that can join others waits for them, but not on an idle connection. */
  private void send(Exchange<?> exchange) {
    if (!exchange.canJoin() || (current.isIdle() && joining.isEmpty())) {
      current.send(exchange);
    } else if (joining.add(exchange)) {
      loop.soon(this::sendJoined);
    }
  }

  /** The end of a turn. */
  private void sendJoined() {
    List<Exchange<?>> all = joining.takeAll();
    if (current == null) {
      all.forEach(this::accept);
    } else {
      joining.group(all, current::sendTogether);
    }
  }

  private void refuse(Exchange<?> exchange, FailureCode code, String reason) {
    released(exchange);
    exchange.failSoon(code, reason);
  }

  private void adopt(Link link) {
    Link old = current;
    current = link;
    links.add(link);
    link.ownedBy(this);
    events.up(again);
    again = true;
    if (old != null) {
      old.retire();
    }
    for (Exchange<?> next = waiting.poll(); next != null; next = waiting.poll()) {
      link.send(next);
    }
  }

  /** Those that wait could wait for their deadline, unless they asked not to. */
  private void notConnected() {
    if (failFast) {
      failAll(waiting, FailureCode.UNAVAILABLE, "not connected");
    }
  }

  private void failAll(Flight flight, FailureCode code, String reason) {
    for (Exchange<?> next = flight.poll(); next != null; next = flight.poll()) {
      released(next);
      next.failWith(code, reason);
    }
  }

  @Override
  public void released(Exchange<?> exchange) {
    admission.leave(exchange.command().size());
  }

  @Override
  public void succeeded(Exchange<?> exchange) {
    reconnect.succeeded(exchange.call.isWrite());
  }

  @Override
  public void refused(Exchange<?> exchange, String error) {
    switch (ServerErrors.reactionTo(error)) {
      case SEND_TEXT -> sendText(exchange, error);
      case SEND_ALONE -> sendAlone(exchange, error);
      case RETRY -> {
        servers.doubt();
        exchange.refusedFor(error);
        retry(exchange);
      }
      case REDIRECT -> redirect(exchange, error);
      case RECONNECT -> {
        reconnect.demoted();
        exchange.failWith(ServerErrors.translate(exchange.call, error));
      }
      case FAIL -> exchange.failWith(ServerErrors.translate(exchange.call, error));
    }
  }

  @Override
  public void died(Link link) {
    links.remove(link);
    if (!closed) {
      events.down();
    }
    servers.doubt();
    if (link == current) {
      current = null;
      reconnect.lost();
    }
  }

  @Override
  public void late() {
    servers.doubt();
  }

  /** Another server has it. The answer proved that nothing ran here. */
  private void redirect(Exchange<?> exchange, String error) {
    if (exchange.retries() >= MOST_REDIRECTIONS) {
      servers.doubt();
      retry(exchange);
    } else {
      String asked = exchange.serverHost();
      exchange.again(exchange.command());
      servers
          .redirected(exchange, asked, error)
          .ifPresentOrElse(
              other -> other.of(events.kind(), exchange.call).submit(exchange),
              () -> exchange.failWith(ServerErrors.translate(exchange.call, error)));
    }
  }

  private void sendText(Exchange<?> exchange, String error) {
    if (exchange.command().isScript()) {
      exchange.again(exchange.command().withText());
      if (admit(exchange)) {
        accept(exchange);
      }
    } else {
      exchange.failWith(ServerErrors.translate(exchange.call, error));
    }
  }

  /** What one of several lacks must not hurt the others; the answer proved that nothing ran. */
  private void sendAlone(Exchange<?> exchange, String error) {
    if (exchange.wasJoined()) {
      if (error.startsWith("CROSSSLOT")) {
        joining.separateSlots();
      }
      exchange.sendAlone();
      exchange.again(exchange.command());
      if (admit(exchange)) {
        accept(exchange);
      }
    } else {
      exchange.failWith(ServerErrors.translate(exchange.call, error));
    }
  }

  /**
   * The answer proved that nothing ran: once more after a pause, as long as its deadline allows.
   * Alone, since keys of others may be what it would wait for: some here, some moved already.
   */
  private void retry(Exchange<?> exchange) {
    if (exchange.wasJoined()) {
      exchange.sendAlone();
    }
    long pause = FIRST_RETRY_MILLIS << Math.min(exchange.retries(), MOST_DOUBLINGS);
    exchange.again(exchange.command());
    if (admit(exchange)) {
      pausing.add(exchange);
      loop.later(pause, () -> resume(exchange));
    }
  }

  private void resume(Exchange<?> exchange) {
    if (!exchange.isSettled()) {
      pausing.remove(exchange);
      place(exchange);
    }
  }

  /** Where it belongs by now, which may be a lane to another server. */
  private void place(Exchange<?> exchange) {
    Lane lane = laneOf(exchange);
    if (lane == this) {
      accept(exchange);
    } else {
      released(exchange);
      lane.submit(exchange);
    }
  }

  private Lane laneOf(Exchange<?> exchange) {
    return servers.of(exchange.command()).of(events.kind(), exchange.call);
  }

  private void moveOn(Exchange<?> exchange) {
    if (laneOf(exchange) == this) {
      refuse(exchange, FailureCode.UNAVAILABLE, "the server has left the cluster");
    } else {
      place(exchange);
    }
  }

  /** The servers have changed: what waits here may belong elsewhere. */
  void reroute() {
    loop.run(
        () -> {
          List<Exchange<?>> all = new ArrayList<>();
          for (Exchange<?> next = waiting.poll(); next != null; next = waiting.poll()) {
            all.add(next);
          }
          all.forEach(this::place);
        });
  }

  /** No new connection is made; the one there is ends when everything is answered. */
  void retire() {
    loop.run(
        () -> {
          retired = true;
          reconnect.close();
          Link last = current;
          current = null;
          if (last != null) {
            last.retire();
          }
          reroute();
        });
  }

  /** Whether it is connected now; asked by any thread. */
  boolean isUp() {
    return current != null;
  }

  private void sweepLater() {
    if (cancelSweep == null) {
      cancelSweep = loop.later(SWEEP_MILLIS, this::sweep);
    }
  }

  private void sweep() {
    cancelSweep = null;
    long now = System.nanoTime();
    sweep(waiting, now);
    sweep(pausing, now);
    List.copyOf(links).forEach(link -> link.sweep(now));
    if (!waiting.isEmpty()) {
      servers.doubt();
    }
    if (!closed && !admission.isEmpty()) {
      sweepLater();
    }
  }

  private void sweep(Flight unsent, long now) {
    unsent.each(
        exchange -> {
          if (exchange.call.isOverdue(now)) {
            unsent.remove(exchange);
            released(exchange);
            exchange.timeOutUnsent();
          }
        });
  }

  private Future<Void> closeHere() {
    closed = true;
    if (cancelSweep != null) {
      cancelSweep.run();
    }
    failAll(waiting, FailureCode.CLOSED, "closed");
    failAll(pausing, FailureCode.CLOSED, "closed");
    failAll(joining.waiting(), FailureCode.CLOSED, "closed");
    List<Future<Void>> ends = new ArrayList<>(List.of(reconnect.close()));
    links.forEach(link -> ends.add(link.close()));
    return Future.join(ends).mapEmpty();
  }
}
