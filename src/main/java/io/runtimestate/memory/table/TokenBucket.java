package io.runtimestate.memory.table;

import io.runtimestate.data.Utf8;

/** A token bucket that is not full. */
public final class TokenBucket extends ControlEntry {
  private static final int OVERHEAD = 160;

  TokenState state;

  TokenBucket(ControlTable<TokenBucket> home, String key) {
    super(home, key, bytesOf(key));
  }

  static long bytesOf(String key) {
    return OVERHEAD + (long) Utf8.length(key);
  }
}
