package io.runtimestate.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Response;

/**
 * A connection that is subscribed to the channel of releases until it is closed, and again after
 * each loss. Confined to its event loop.
 *
 * <p>It subscribes once more every few seconds: the server confirms it every time, in either
 * protocol, and one that does not is given up.
 */
final class Subscription implements Link.Owner {
  private static final long BEAT_MILLIS = 5_000;
  private static final int CONTENT = 2; // of a message, behind its kind and its channel

  private final Loop loop;
  private final String channel;
  private final ReleaseChannel listener;
  private final Reconnect reconnect;
  private Link link;
  private Runnable cancelBeat;
  private boolean fresh;
  private boolean confirmed;

  Subscription(Loop loop, Connector connector, String channel, ReleaseChannel listener) {
    this.loop = loop;
    this.channel = channel;
    this.listener = listener;
    this.reconnect = new Reconnect(loop, connector, LaneKind.NOTICES, this::adopt, () -> {});
  }

  void start() {
    reconnect.start();
  }

  private void adopt(Link made) {
    link = made;
    link.ownedBy(this);
    fresh = true;
    confirmed = true;
    beat();
  }

  private void beat() {
    if (confirmed) {
      Link asked = link;
      confirmed = false;
      cancelBeat = loop.later(BEAT_MILLIS, this::beat); // first: subscribing may end the connection
      link.subscribe(channel, answer -> loop.run(() -> heard(asked, answer)));
    } else {
      link.die("the server does not answer");
    }
  }

  private void heard(Link by, Response answer) {
    if (by != link) {
      return; // its connection is not used any more
    }
    switch (kindOf(answer)) {
      case MESSAGE -> listener.message(Replies.text(answer.get(CONTENT)));
      case CONFIRMATION -> confirm();
      case REFUSAL -> listener.mayNotSubscribe();
      case OTHER -> link.die("SUBSCRIBE was not answered as it should be");
    }
  }

  private enum Kind {
    MESSAGE,
    CONFIRMATION,
    REFUSAL,
    OTHER
  }

  private static Kind kindOf(Response answer) {
    if (answer == null) {
      return Kind.OTHER;
    }
    return switch (answer.type()) {
      case MULTI, PUSH -> kindOf(Replies.text(answer.get(0)));
      case ERROR -> ServerErrors.isNotPermitted(answer.toString()) ? Kind.REFUSAL : Kind.OTHER;
      default -> Kind.OTHER;
    };
  }

  private static Kind kindOf(String word) {
    return word.equals("message") ? Kind.MESSAGE : Kind.CONFIRMATION;
  }

  private void confirm() {
    confirmed = true;
    if (fresh) {
      fresh = false;
      reconnect.succeeded(true);
      listener.subscribed();
    }
  }

  @Override
  public void died(Link gone) {
    stopBeating();
    link = null;
    listener.lost();
    reconnect.lost();
  }

  private void stopBeating() {
    cancelBeat.run();
  }

  /** Ends the subscription with its connection. */
  Future<Void> close() {
    Link last = link;
    link = null;
    if (last == null) {
      return reconnect.close();
    }
    stopBeating();
    return Future.join(reconnect.close(), last.close()).mapEmpty();
  }
}
