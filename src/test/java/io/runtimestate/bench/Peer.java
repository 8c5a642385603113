package io.runtimestate.bench;

import java.util.function.Consumer;

/** A contender that is not under any load yet; see {@link LoadContender} for the parts. */
record Peer(String name, Work work, Consumer<Object> reader, boolean confined) {
  /** Answers on the caller's event loop, ready to use. */
  static Peer of(String name, Work work) {
    return new Peer(name, work, null, true);
  }

  /** Answers on threads of its own. */
  static Peer elsewhere(String name, Work work) {
    return new Peer(name, work, null, false);
  }

  Peer reading(Consumer<Object> itsReader) {
    return new Peer(name, work, itsReader, confined);
  }

  Contender under(Load load) {
    return new LoadContender(name, work, reader, confined, load);
  }
}
