package io.runtimestate.memory.table;

/** An object of the data tier: a value, set, score or stream under its key. */
public abstract class DataEntry extends Entry {
  Keyspace home;
  long bytes;

  /** An object with the estimated size it has when it is added. */
  protected DataEntry(String key, long bytes) {
    super(key);
    this.bytes = bytes;
  }

  /** Its type. */
  public abstract DataType type();

  /** Its estimated size in bytes. */
  public final long bytes() {
    return bytes;
  }

  /** Changes the estimated size of an object that is in the keyspace. */
  public final void grow(long difference) {
    bytes += difference;
    home.budget().add(difference);
  }

  /** Hears that it left the keyspace, by deletion, replacement, eviction or expiry. */
  protected void removed() {}

  @Override
  public final void expire() {
    home.expire(this);
  }
}
