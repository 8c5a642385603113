package io.runtimestate.memory.table;

/** The plainest entry. */
final class PlainEntry extends Entry {
  int expired;

  PlainEntry(String key) {
    super(key);
  }

  @Override
  public void expire() {
    expired++;
  }

  @Override
  public String toString() {
    return key();
  }
}
