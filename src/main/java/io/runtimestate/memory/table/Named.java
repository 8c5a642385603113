package io.runtimestate.memory.table;

/** Something with a name that is its own node in the one {@link Dictionary} it may be in. */
public abstract class Named {
  final String key;
  int hash;
  Named next;

  /** Something in no table yet. */
  protected Named(String key) {
    this.key = key;
  }

  /** The name it is found by. */
  public final String key() {
    return key;
  }
}
