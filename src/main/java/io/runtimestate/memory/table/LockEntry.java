package io.runtimestate.memory.table;

/** A lock that is held, under its name. */
public final class LockEntry extends Entry {
  private final LockTable table;
  private final String owner;
  private final String token;
  private final long fencingToken;
  final long bytes;

  LockEntry(
      LockTable table, String key, String owner, String token, long fencingToken, long bytes) {
    super(key);
    this.table = table;
    this.owner = owner;
    this.token = token;
    this.fencingToken = fencingToken;
    this.bytes = bytes;
  }

  /** Who holds it. */
  public String owner() {
    return owner;
  }

  /** Proves the right to renew and release it. */
  public String token() {
    return token;
  }

  /** Greater than that of every lock granted before. */
  public long fencingToken() {
    return fencingToken;
  }

  @Override
  public void expire() {
    table.expire(this);
  }
}
