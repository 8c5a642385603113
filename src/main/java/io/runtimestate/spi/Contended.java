package io.runtimestate.spi;

import java.util.Optional;

/** A lock or a semaphore: something in which a place can become free. No text of it is printed. */
public sealed interface Contended {
  /** A lock, by its key. */
  record Lock(String key) implements Contended {
    @Override
    public String toString() {
      return "Lock";
    }
  }

  /** A semaphore, by its gate and what it is keyed by. */
  record Semaphore(String gate, Optional<String> resource) implements Contended {
    @Override
    public String toString() {
      return "Semaphore";
    }
  }
}
