package io.runtimestate.redis;

import io.runtimestate.data.ConnectionEvent;
import java.util.function.Consumer;

/** Counts the connections of one kind and tells when the first comes up or the last goes down. */
record LaneEvents(LaneKind kind, LaneMeter meter, Consumer<ConnectionEvent> listener) {
  private static final System.Logger LOG = System.getLogger(LaneEvents.class.getName());

  void up(boolean again) {
    if (again) {
      meter.reconnected();
    }
    if (meter.connected()) {
      LOG.log(System.Logger.Level.DEBUG, "Redis connection up: {0}", kind.word());
      listener.accept(new ConnectionEvent(kind.word(), true));
    }
  }

  void down() {
    if (meter.disconnected()) {
      LOG.log(System.Logger.Level.WARNING, "Redis connection down: {0}", kind.word());
      listener.accept(new ConnectionEvent(kind.word(), false));
    }
  }

  /** One more connection of a kind that has as many as are needed; nobody hears of it. */
  void opened() {
    meter.connected();
  }

  /** One connection less, by the library's own wish; nobody hears of it. */
  void retired() {
    meter.disconnected();
  }
}
