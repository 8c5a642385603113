package io.runtimestate.config;

/** How the servers of a Redis installation relate. */
public enum RedisTopology {
  /** One server. */
  STANDALONE,
  /** The URL names sentinels, which know the master; needs {@code redis.masterName}. */
  SENTINEL,
  /** The URL names nodes of a cluster. */
  CLUSTER;

  /** The lower-case word used in JSON. */
  @Override
  public String toString() {
    return Words.of(this);
  }
}
