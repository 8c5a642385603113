package io.runtimestate.memory.table;

/** An object of the control tier: it cannot be seen or touched through its name. */
public abstract class ControlEntry extends Entry {
  private final ControlTable<?> home;
  private long bytes;

  /** An object with the estimated size it has when it is added to its table. */
  protected ControlEntry(ControlTable<?> home, String name, long bytes) {
    super(name);
    this.home = home;
    this.bytes = bytes;
  }

  final long bytes() {
    return bytes;
  }

  /** Changes the estimated size of an object that is in its table. */
  protected final void grow(long difference) {
    bytes += difference;
    home.budget().add(difference);
  }

  /** Hears that it left its table, removed or expired. */
  protected void removed() {}

  @Override
  public final void expire() {
    home.expire(this);
  }
}
