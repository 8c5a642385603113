package io.runtimestate.redis;

import io.runtimestate.config.RedisOptions;

/** The bounds every lane of a backend has. */
record LaneLimits(int maxCommands, long maxBytes, boolean failFast) {
  static LaneLimits of(RedisOptions options) {
    return new LaneLimits(
        options.getMaxPendingCommands(), options.getMaxPendingBytes(), options.isFailFast());
  }

  Admission admission(LaneMeter meter) {
    return new Admission(maxCommands, maxBytes, meter);
  }
}
