package io.runtimestate.redis;

import io.runtimestate.spi.Contended;
import io.runtimestate.spi.Figures;
import io.runtimestate.spi.ReleaseNotices;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Releases of locks and permits by other runtimes. Every release names its key on one channel of
 * the prefix; whoever waits subscribes, on one connection for the whole runtime, which is made when
 * a wait lasts and closed a moment after the last one.
 *
 * <p>One channel, so that nothing is subscribed anew for each name: a release costs the server the
 * same whether anybody waits or not, and a runtime throws away what it does not wait for. A message
 * begins with who sent it, since a runtime knows its own releases before the server tells.
 *
 * <p>A user who may not publish or subscribe costs nothing but time: waiters look after pauses.
 */
final class ReleaseChannel implements ReleaseNotices {
  private static final System.Logger LOG = System.getLogger(ReleaseChannel.class.getName());

  /** Shorter waits are not worth a connection. */
  private static final long OPEN_AFTER_MILLIS = 20;

  /** How long the connection stays for the next wait. */
  private static final long LINGER_MILLIS = 2_000;

  private final Loop loop;
  private final Keyspace keys;
  private final String sender = UUID.randomUUID().toString().substring(0, 8) + ":";
  private final Map<String, Runnable> listeners = new ConcurrentHashMap<>(); // by key
  private final LongAdder heard = new LongAdder();
  private volatile boolean mayPublish = true;
  private volatile boolean maySubscribe = true;
  private volatile boolean subscribed;
  // ---- loop only ----
  private Connector connector;
  private Subscription subscription;
  private Runnable cancelTimer;
  private boolean closed;

  ReleaseChannel(Loop loop, Keyspace keys) {
    this.loop = loop;
    this.keys = keys;
  }

  /** How to reach a server that hears what is published; before anybody listens. */
  void connectsBy(Connector any) {
    connector = any;
  }

  /** Finds out whether the user may publish; an empty message is for nobody. */
  Future<?> probe(Link link) {
    return link.ask(RedisCommand.of(Command.PUBLISH).arg(name()).arg(""))
        .onFailure(this::notPublished)
        .transform(asked -> loop.done());
  }

  private void notPublished(Throwable failure) {
    if (ServerErrors.isReply(failure)) {
      mayPublish = false;
      LOG.log(
          System.Logger.Level.WARNING,
          "The Redis user may not publish: who waits elsewhere for what is released here is not"
              + " told of it and finds it after pauses");
    }
  }

  private String name() {
    return keys.releases();
  }

  /** What a script that releases needs to tell of it: the channel, empty for none, and who. */
  List<String> arguments() {
    return List.of(mayPublish ? name() : "", sender);
  }

  @Override
  public void listen(Contended place, Runnable released) {
    listeners.put(keyOf(place), released);
    if (maySubscribe) {
      loop.run(this::openSoon);
    }
  }

  @Override
  public void unlisten(Contended place) {
    listeners.remove(keyOf(place));
    if (listeners.isEmpty()) {
      loop.run(this::closeSoon);
    }
  }

  private String keyOf(Contended place) {
    return place instanceof Contended.Semaphore semaphore
        ? keys.semaphore(semaphore.gate(), semaphore.resource())
        : keys.lock(((Contended.Lock) place).key());
  }

  /** At most one timer runs: it opens what is missing, or closes what nobody needs. */
  private void openSoon() {
    if (subscription == null) {
      startTimer(OPEN_AFTER_MILLIS);
    }
  }

  private void closeSoon() {
    if (subscription != null) {
      startTimer(LINGER_MILLIS);
    }
  }

  private void startTimer(long millis) {
    if (cancelTimer == null && !closed) {
      cancelTimer = loop.later(millis, this::settle);
    }
  }

  private void settle() {
    cancelTimer = null;
    if (listeners.isEmpty()) {
      end();
    } else if (subscription == null && maySubscribe) {
      subscription = new Subscription(loop, connector, name(), this);
      subscription.start();
    }
  }

  private Future<Void> end() {
    Subscription ended = subscription;
    subscription = null;
    subscribed = false;
    return ended == null ? loop.done() : ended.close();
  }

  /** From now on messages come; who listened before may have missed one. */
  void subscribed() {
    subscribed = true;
    listeners.values().forEach(Runnable::run);
  }

  /** Until they come again, listeners look for themselves. */
  void lost() {
    subscribed = false;
  }

  void message(String text) {
    Runnable listener = text.startsWith(sender) ? null : listeners.get(keyIn(text));
    if (listener != null) {
      heard.increment();
      listener.run();
    }
  }

  private String keyIn(String text) {
    return text.substring(Math.min(text.length(), sender.length()));
  }

  /** Said once; permissions are not asked for again. */
  void mayNotSubscribe() {
    maySubscribe = false;
    end();
    LOG.log(
        System.Logger.Level.WARNING,
        "The Redis user may not subscribe: who waits here for what is released elsewhere is not"
            + " told of it and finds it after pauses");
  }

  void addTo(Map<String, Long> figures) {
    figures.put(Figures.NOTICES, subscribed ? 1L : 0L);
    figures.put(Figures.RELEASES_HEARD, heard.sum());
    figures.put(Figures.NOTICES_REFUSED, (mayPublish ? 0L : 1L) + (maySubscribe ? 0L : 1L));
  }

  /** Closes the connection; nothing is left afterwards. */
  Future<Void> close() {
    Promise<Void> done = Promise.promise();
    loop.soon(() -> closeHere().onComplete(done));
    return done.future();
  }

  private Future<Void> closeHere() {
    closed = true;
    if (cancelTimer != null) {
      cancelTimer.run();
    }
    return end();
  }
}
