package io.runtimestate.memory.table;

/** The plainest entry. */
final class Named extends Entry {
  int expired;

  Named(String key) {
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
