package io.runtimestate.redis;

import io.runtimestate.data.ConnectionEvent;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Those who want to hear of connections; each hears on the context it registered from. */
final class ConnectionListeners implements Consumer<ConnectionEvent> {
  private record Listener(Context context, Handler<ConnectionEvent> handler) {}

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  void add(Context context, Handler<ConnectionEvent> handler) {
    listeners.add(new Listener(context, handler));
  }

  @Override
  public void accept(ConnectionEvent event) {
    listeners.forEach(
        listener -> listener.context.runOnContext(now -> listener.handler.handle(event)));
  }
}
